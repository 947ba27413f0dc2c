//! `eyes route`: which models look, whether they see, and how they fare.

use eyes_evidence::code::Coded as _;
use eyes_router::{health::RouteHealth, route::Route};
use eyes_runtime::{Executor, Runtime, error::RuntimeError, settings::WELL_KNOWN};

use super::Context;
use crate::{
    args::{LookArgs, RouteCommand},
    error::CliError,
    exit::Exit,
    json::{HealthOutput, ProbeOutput, RouteHealthOutput, RouteOutput, RoutesOutput},
    report::Failure,
    text::{Tone, safe},
};

pub(super) fn run(command: RouteCommand, context: &mut Context<'_, '_>) -> Result<Exit, CliError> {
    let (runtime, _) = context.compose(&LookArgs::default())?;
    let executor = Executor::new()?;
    match command {
        RouteCommand::List => list(&runtime, &executor, context),
        RouteCommand::Probe { route } => probe(route.as_ref(), &runtime, &executor, context),
        RouteCommand::Health => health(&runtime.reader().health(), context),
    }
}

fn list(
    runtime: &Runtime,
    executor: &Executor,
    context: &mut Context<'_, '_>,
) -> Result<Exit, CliError> {
    let reader = runtime.reader();
    let candidates = executor.block_on(reader.candidates());
    let states = reader.health();
    let catalogue = reader.catalogue().state();
    if context.is_json() {
        let routes = candidates
            .iter()
            .map(|candidate| RouteOutput {
                route: candidate.route.to_string(),
                priority: candidate.priority,
                circuit: circuit(&candidate.route, &states),
            })
            .collect();
        let unlisted = catalogue
            .iter()
            .filter(|state| state.failure.is_some())
            .map(|state| state.provider.clone())
            .collect();
        let well_known = WELL_KNOWN.iter().map(|known| known.id).collect();
        context.print_json(&RoutesOutput {
            routes,
            unlisted,
            well_known,
        })?;
        return context.done();
    }
    for candidate in &candidates {
        let name = candidate.route.to_string();
        let state = circuit(&candidate.route, &states);
        context.print(&format!(
            "{:>3}  {}  {state}\n",
            candidate.priority + 1,
            safe(&name)
        ))?;
    }
    for state in catalogue.iter().filter(|state| state.failure.is_some()) {
        let code = state.failure.map_or("", |code| code.as_str());
        let provider = safe(&state.provider);
        context.print(&format!(
            "  -  {provider} could not list its models [{code}]\n"
        ))?;
    }
    if candidates.is_empty() {
        context.print("no route is configured\n")?;
    }
    let known: Vec<&str> = WELL_KNOWN.iter().map(|known| known.id).collect();
    let line = format!("well-known providers: {}\n", known.join(", "));
    let line = context.out.paint(Tone::Dim, line).to_string();
    context.print(&line)?;
    context.done()
}

fn circuit(route: &Route, states: &[RouteHealth]) -> &'static str {
    states
        .iter()
        .find(|state| state.route == *route)
        .map_or("closed", |state| state.state.name())
}

/// Shows the grid to one route, or to each; a route that does not see makes the answer no.
fn probe(
    route: Option<&Route>,
    runtime: &Runtime,
    executor: &Executor,
    context: &mut Context<'_, '_>,
) -> Result<Exit, CliError> {
    let reader = runtime.reader();
    let routes: Vec<Route> = match route {
        Some(route) => vec![route.clone()],
        None => executor
            .block_on(reader.candidates())
            .into_iter()
            .map(|candidate| candidate.route)
            .collect(),
    };
    let mut exit = Exit::Done;
    for route in routes {
        let probed = executor.block_on(reader.probe(&route));
        let failure = probed.as_ref().err().map(|error| {
            exit = exit.max(match error.code().as_str() {
                "VISION_PROBE_FAILED" => Exit::No,
                _ => Exit::from(error.code().spec().category),
            });
            let error = RuntimeError::from(error.clone());
            Failure::of(&CliError::from(error))
        });
        let tokens = match &probed {
            Ok(usage) => usage.tokens(),
            Err(error) => error.usage.tokens(),
        };
        if context.is_json() {
            context.print_json(&ProbeOutput {
                route: route.to_string(),
                sees: failure.is_none(),
                tokens,
                error: failure.as_ref().map(Into::into),
            })?;
            continue;
        }
        let (mark, tone, detail) = match &failure {
            None => ("sees ", Tone::Good, format!("{tokens} tokens")),
            Some(failure) => (
                "FAIL ",
                Tone::Bad,
                format!("[{}] {}", failure.code, failure.message),
            ),
        };
        let mark = context.out.paint(tone, mark).to_string();
        let name = route.to_string();
        context.print(&format!("{mark} {}  {}\n", safe(&name), safe(&detail)))?;
    }
    context.finish(exit)
}

fn health(states: &[RouteHealth], context: &mut Context<'_, '_>) -> Result<Exit, CliError> {
    if context.is_json() {
        let routes = states
            .iter()
            .map(|state| RouteHealthOutput {
                route: state.route.to_string(),
                failures: state.failures,
                circuit: state.state.name(),
                open_until_ms: state.state.open_until_ms(),
            })
            .collect();
        context.print_json(&HealthOutput { routes })?;
        return context.done();
    }
    if states.is_empty() {
        context.print("no route failed lately\n")?;
    }
    for state in states {
        let text = format!(
            "{:9}  {}  {} faults in a row\n",
            state.state.name(),
            safe(&state.route.to_string()),
            state.failures
        );
        context.print(&text)?;
    }
    context.done()
}
