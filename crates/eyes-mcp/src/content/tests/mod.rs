mod conversion;
mod resolution;
mod templates;
