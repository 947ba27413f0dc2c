//! The one place that touches the process.

use std::{
    io::{IsTerminal as _, Write as _},
    panic::{AssertUnwindSafe, catch_unwind},
    process::ExitCode,
};

use eyes_runtime::{environment::Environment, gate::WriteGate};

use crate::{
    codes::INTERNAL_FAILED,
    exit::Exit,
    io::{Io, Terminals},
    run,
};

/// Runs the program `eyes` with the arguments, streams and environment of this process.
pub fn main() -> ExitCode {
    let terminals = Terminals {
        stdin: std::io::stdin().is_terminal(),
        stdout: std::io::stdout().is_terminal(),
        stderr: std::io::stderr().is_terminal(),
    };
    let gate = WriteGate::default();
    exit_on_interrupt(gate.clone(), terminals.stderr);
    std::panic::set_hook(Box::new(|panic| {
        // A closed standard error cannot be told of it.
        drop(writeln!(
            std::io::stderr(),
            "error[{INTERNAL_FAILED}]: {panic}\nhint: {}",
            INTERNAL_FAILED.spec().hint
        ));
    }));
    let work = AssertUnwindSafe(|| {
        // Not locked for good: `eyes mcp serve` reads and writes them from threads of its own.
        let mut io = Io {
            stdin: &mut std::io::stdin(),
            stdout: &mut std::io::stdout(),
            stderr: &mut std::io::stderr(),
            terminals,
            gate,
        };
        run(std::env::args_os(), &mut io, &Environment::from_process())
    });
    catch_unwind(work).unwrap_or(Exit::Bug).into()
}

/// Ends the process with 130 when the user interrupts it, after a write in progress is whole.
fn exit_on_interrupt(gate: WriteGate, on_terminal: bool) {
    // Without a handler the system ends the process, as it would have without this line.
    drop(ctrlc::set_handler(move || {
        let _whole = gate.enter();
        if on_terminal {
            drop(writeln!(std::io::stderr()));
        }
        end(Exit::Interrupted);
    }));
}

#[expect(
    clippy::exit,
    reason = "the handler's thread is the only one that can end the process now"
)]
fn end(exit: Exit) -> ! {
    std::process::exit(i32::from(exit.code()))
}
