//! The commands.

mod answer;
mod ask;
mod audit;
pub(crate) mod browser;
mod catalogue;
mod config;
pub(crate) mod data;
mod doctor;
mod eval;
mod evidence;
mod looking;
pub(crate) mod mcp;
mod models;
mod read;
mod reference;
mod route;
pub(crate) mod usage;

use std::path::PathBuf;

use clap::CommandFactory as _;
use eyes_router::vision::ReadWarning;
use eyes_runtime::{
    environment::{Environment, SettingsFile},
    error::RuntimeError,
    settings::Settings,
};
use serde::Serialize;

use crate::{
    args::{Cli, Command, Format, Global},
    error::CliError,
    exit::Exit,
    io::Io,
    json::{WarningBody, WarningOutput, line},
    report::{Failure, colours},
    text::{Style, Tone, safe},
};

/// Runs one command.
pub(crate) fn run(command: Command, context: &mut Context<'_, '_>) -> Result<Exit, CliError> {
    match command {
        Command::Read(args) => read::run(args, context),
        Command::Ask(args) => ask::run(&args, context),
        Command::Answer(args) => answer::run(args, context),
        Command::Route(command) => route::run(command, context),
        Command::Audit(command) => audit::run(&command, context),
        Command::Config(command) => config::run(&command, context),
        Command::Evidence(command) => evidence::run(command, context),
        Command::Eval(args) => eval::run(&args, context),
        Command::Schema { name } => catalogue::schema(name.as_deref(), context),
        Command::Explain { code } => catalogue::explain(&code, context),
        Command::Doctor => doctor::run(context),
        Command::Models(command) => models::run(command, context),
        Command::Usage(command) => usage::run(&command, context),
        Command::Data(command) => data::run(&command, context),
        Command::Mcp(command) => mcp::run(&command, context),
        Command::Browser(command) => browser::run(&command, context),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "eyes", &mut script);
            context.io.stdout.write_all(&script)?;
            context.done()
        }
        Command::HelpMarkdown => {
            context.print(&reference::markdown())?;
            context.done()
        }
        Command::RetentionMarkdown => {
            context.print(&data::markdown())?;
            context.done()
        }
    }
}

/// What every command works with.
pub(crate) struct Context<'a, 'io> {
    global: &'a Global,
    io: &'a mut Io<'io>,
    environment: &'a Environment,
    /// Colours of standard output.
    out: Style,
    /// Colours of standard error.
    err: Style,
}

impl<'a, 'io> Context<'a, 'io> {
    pub(crate) fn new(
        global: &'a Global,
        io: &'a mut Io<'io>,
        environment: &'a Environment,
    ) -> Self {
        let style = |is_terminal| Style::new(colours(global.color, is_terminal, environment));
        Self {
            out: style(io.terminals.stdout),
            err: style(io.terminals.stderr),
            global,
            io,
            environment,
        }
    }

    /// Tells of a failure; `input` names what it is about. A reader that went away is no failure.
    pub(crate) fn report(&mut self, error: &CliError, input: Option<&str>) -> Exit {
        if error.is_broken_pipe() {
            return Exit::Done;
        }
        let input = input.filter(|_| self.is_json() || !error.names_its_input());
        Failure::of(error).print(self.io.stderr, self.global.format, self.err, input)
    }

    fn is_json(&self) -> bool {
        self.global.format == Format::Json
    }

    fn settings_file(&self) -> Option<SettingsFile> {
        match &self.global.config {
            Some(path) => Some(SettingsFile::named(path.clone())),
            None => self.environment.settings_file(),
        }
    }

    fn settings(&self) -> Result<Settings, CliError> {
        Settings::load(self.settings_file().as_ref(), self.environment)
            .map_err(|error| CliError::Runtime(RuntimeError::Settings(error)))
    }

    fn data_dir(&self, settings: &Settings) -> Option<PathBuf> {
        eyes_runtime::data_dir(self.global.data_dir.clone(), settings, self.environment)
    }

    fn print(&mut self, text: &str) -> Result<(), CliError> {
        Ok(self.io.stdout.write_all(text.as_bytes())?)
    }

    fn print_json(&mut self, value: &impl Serialize) -> Result<(), CliError> {
        self.print(&line(value)?)
    }

    fn warn(&mut self, warning: &ReadWarning) -> Result<(), CliError> {
        let ReadWarning { code, message } = warning;
        if self.is_json() {
            let warning = WarningBody {
                code: code.as_str(),
                message,
            };
            let text = line(&WarningOutput { warning })?;
            self.io.stderr.write_all(text.as_bytes())?;
        } else {
            let mark = self
                .err
                .paint(Tone::Heading, format_args!("warning[{code}]"))
                .to_string();
            writeln!(self.io.stderr, "{mark}: {}", safe(message))?;
        }
        Ok(())
    }

    /// Ends well: what was printed has to arrive.
    fn done(&mut self) -> Result<Exit, CliError> {
        self.finish(Exit::Done)
    }

    fn finish(&mut self, exit: Exit) -> Result<Exit, CliError> {
        self.io.stdout.flush()?;
        Ok(exit)
    }
}
