"""The parts of fencepost's analysis on Apache Spark; Tools/parquet shares its tables and frames."""
