// The page is complete.

document.documentElement.dataset.ready = 'true';
