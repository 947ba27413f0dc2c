mod files;
mod formats;
mod mutations;
mod refusals;
