//! The arguments of `eyes mcp`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use crate::input::Input;

#[derive(Debug, Subcommand)]
pub(crate) enum McpCommand {
    /// List the configured servers
    List,
    /// Connect to servers and say what they offer
    Test(TestArgs),
    /// List tools, and why one is not exposed
    Tools(ToolsArgs),
    /// List resources, or read one
    Resources(ResourcesArgs),
    /// List prompts, or get one
    Prompts(PromptsArgs),
    /// Call a tool
    Call(CallArgs),
    /// Approve the definitions of tools
    Approve(ApproveArgs),
    /// Show how definitions changed since they were approved
    Diff(DiffArgs),
    /// Log in to a server that asks for a person
    Login(LoginArgs),
    /// Be an MCP server
    Serve(ServeArgs),
    /// Take over the servers of another host's settings
    Import(ImportArgs),
}

/// Connect to servers and say what they offer
///
/// Every server that is enabled, unless some are named. Ends with 1 when one of them cannot be used.
#[derive(Debug, Clone, Args)]
pub(crate) struct TestArgs {
    /// Ids of servers
    #[arg(value_name = "SERVER")]
    pub(crate) servers: Vec<String>,
}

/// List tools, and why one is not exposed
///
/// With a tool's public name everything that is known of it, its schemas too.
#[derive(Debug, Clone, Args)]
pub(crate) struct ToolsArgs {
    /// Id of a server, or public name of a tool
    #[arg(value_name = "SERVER|TOOL")]
    pub(crate) of: Option<String>,
    /// List those that may not be used as well
    #[arg(long)]
    pub(crate) all: bool,
}

/// List resources, or read one
///
/// Lists resources and templates that may be read. With a URI reads it.
#[derive(Debug, Clone, Args)]
pub(crate) struct ResourcesArgs {
    /// Id of a server
    pub(crate) server: String,
    /// Resource to read
    pub(crate) uri: Option<String>,
}

/// List prompts, or get one
#[derive(Debug, Clone, Args)]
pub(crate) struct PromptsArgs {
    /// Id of a server
    pub(crate) server: String,
    /// Prompt to get
    pub(crate) prompt: Option<String>,
    /// Argument of the prompt
    #[arg(long = "arg", value_name = "NAME=VALUE", requires = "prompt")]
    pub(crate) arguments: Vec<String>,
}

/// Call a tool
///
/// Arguments are checked against the tool's schema before anything leaves. A result that the tool itself calls an
/// error is printed and ends with 1.
#[derive(Debug, Clone, Args)]
pub(crate) struct CallArgs {
    /// Public name of the tool, or SERVER/NAME
    pub(crate) tool: String,
    /// Arguments as a JSON object; `-` reads standard input
    #[arg(default_value = "{}", value_name = "JSON")]
    pub(crate) arguments: String,
    /// Write the pictures of the result into this directory
    #[arg(long, value_name = "DIR")]
    pub(crate) images: Option<PathBuf>,
}

/// Approve the definitions of tools
///
/// A tool whose definition changed is not exposed until it is approved again; see `eyes mcp diff` first. One that looks
/// dangerous (hidden text, instructions, files of secrets, another server's names) is only approved with --flagged;
/// --all leaves it then and ends with 1.
#[derive(Debug, Clone, Args)]
pub(crate) struct ApproveArgs {
    /// Id of a server
    pub(crate) server: String,
    /// Names of tools, as the server gives them
    #[arg(value_name = "TOOL", required_unless_present = "all")]
    pub(crate) tools: Vec<String>,
    /// Approve every tool as it is now
    #[arg(long, conflicts_with = "tools")]
    pub(crate) all: bool,
    /// Approve what looks dangerous too
    #[arg(long)]
    pub(crate) flagged: bool,
}

/// Show how definitions changed since they were approved
///
/// Shows what looks dangerous too, also in tools that were trusted when they were first seen. Ends with 1 when
/// something waits for approval.
#[derive(Debug, Clone, Args)]
pub(crate) struct DiffArgs {
    /// Ids of servers; every one without
    #[arg(value_name = "SERVER")]
    pub(crate) servers: Vec<String>,
}

/// Log in to a server that asks for a person
///
/// Prints the address to open and waits for the browser to come back on loopback. Tokens go to the system's keyring
/// where the settings ask for it; else they last as long as this command, which then tests the server with them.
#[derive(Debug, Clone, Args)]
pub(crate) struct LoginArgs {
    /// Id of a server
    pub(crate) server: String,
}

/// Be an MCP server
///
/// Offers read, ask and evidence, and the tools of the configured servers under their policy. On standard streams, or
/// with --http as Streamable HTTP on loopback with a bearer token.
#[derive(Debug, Clone, Args)]
pub(crate) struct ServeArgs {
    /// Serve Streamable HTTP on this port of 127.0.0.1; 0 takes a free one
    #[arg(long, value_name = "PORT")]
    pub(crate) http: Option<u16>,
    /// Take the bearer token from this variable; a fresh one is printed without
    #[arg(long, value_name = "VARIABLE", requires = "http")]
    pub(crate) token_env: Option<String>,
    /// Do not offer the tools of the configured servers
    #[arg(long)]
    pub(crate) only_own: bool,
}

/// Take over the servers of another host's settings
///
/// Reads the `mcpServers` of a JSON file and prints them as settings of this program. A secret that stands in the file
/// becomes a reference to a variable, with a warning that names it; no secret is printed.
#[derive(Debug, Clone, Args)]
pub(crate) struct ImportArgs {
    /// Settings of the other host; `-` reads standard input
    #[arg(value_parser = Input::parser())]
    pub(crate) file: Input,
}
