//! Settings of the browser, as people write them, and what they come to.

mod error;
mod settings;
#[cfg(test)]
mod tests;

pub use error::ConfigError;
pub use settings::BrowserSettings;

/// Environment variables and the members that they set.
pub const VARIABLES: [(&str, &str); 4] = [
    ("DEEPSEEKEYES_BROWSER_ENABLED", "browserComputerUse"),
    ("DEEPSEEKEYES_BROWSER_HEADLESS", "browserHeadless"),
    ("DEEPSEEKEYES_BROWSER_CHANNEL", "browserChannel"),
    (
        "DEEPSEEKEYES_BROWSER_EXECUTABLE_PATH",
        "browserExecutablePath",
    ),
];
