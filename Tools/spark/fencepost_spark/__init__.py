"""The parts of fencepost's analysis on Apache Spark; Tools/spark/parquet shares its tables and frames."""
