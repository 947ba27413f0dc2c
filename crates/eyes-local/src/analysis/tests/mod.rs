mod answers;
mod canvas;
mod layout;
mod pages;
mod properties;
mod record;
