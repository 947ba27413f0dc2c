mod circuits;
mod files;
