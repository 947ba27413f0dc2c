//! URI templates (RFC 6570), matched in linear time.

use serde::{Serialize, Serializer};

use super::{
    address::has_dot_segment,
    expression::{Expression, Unit, continues, units},
};
use crate::{
    limits::{MAX_TEMPLATE_BYTES, MAX_TEMPLATE_EXPRESSIONS},
    names::{Hidden, hidden_in},
};

/// A URI template that was parsed.
///
/// `{variable}` stands for one or more unreserved or percent-encoded characters, never for `/`, `?`, `#` or their
/// encodings. Expressions with operators, lists or modifiers stand for what they expand to, within the lengths that
/// `:n` gives (section 2.4.1); whether they are used at all is policy ([`is_simple`](Self::is_simple)). No match holds a dot segment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UriTemplate {
    text: String,
    parts: Vec<Part>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Literal(Vec<Unit>),
    Expression(Expression),
}

/// Why a text is no template.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TemplateFault {
    /// Longer than templates are.
    #[error("the template has {0} bytes, more than {MAX_TEMPLATE_BYTES}")]
    Long(usize),
    /// More expressions than are matched.
    #[error("the template has more than {MAX_TEMPLATE_EXPRESSIONS} expressions")]
    Expressions,
    /// A brace without its other one.
    #[error("the template has a brace without its other one")]
    Brace,
    /// What stands between braces is no expression.
    #[error("{{{0}}} is no expression of RFC 6570")]
    Expression(String),
    /// A character that nobody sees.
    #[error("the template holds U+{:04X}, {}", u32::from(*.0), .1)]
    Hidden(char, Hidden),
    /// It leads out of its own path.
    #[error("the template has a dot segment")]
    DotSegment,
}

/// How an address matches a template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TemplateMatch {
    /// What each expression stands for, in their order.
    pub variables: Vec<Variable>,
}

/// What one expression stands for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Variable {
    /// What stands between the braces: the variable's name, or operator, names and modifiers.
    pub expression: String,
    /// What stands in the address, as it stands there.
    pub value: String,
}

impl UriTemplate {
    /// Parses a template.
    pub fn parse(text: &str) -> Result<Self, TemplateFault> {
        if text.len() > MAX_TEMPLATE_BYTES {
            return Err(TemplateFault::Long(text.len()));
        }
        if let Some((_, character, kind)) = hidden_in(text) {
            return Err(TemplateFault::Hidden(character, kind));
        }
        let mut parts = Vec::new();
        let mut filled = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(brace) = rest.find(['{', '}']) {
            push_literal(&mut parts, &rest[..brace]);
            filled.push_str(&rest[..brace]);
            let inner = rest[brace..]
                .strip_prefix('{')
                .ok_or(TemplateFault::Brace)?;
            let end = inner.find(['{', '}']).ok_or(TemplateFault::Brace)?;
            rest = inner[end..].strip_prefix('}').ok_or(TemplateFault::Brace)?;
            parts.push(Part::Expression(Expression::parse(&inner[..end])?));
            filled.push('x');
        }
        push_literal(&mut parts, rest);
        filled.push_str(rest);
        let expressions = parts
            .iter()
            .filter(|part| matches!(part, Part::Expression(_)));
        if expressions.count() > MAX_TEMPLATE_EXPRESSIONS {
            return Err(TemplateFault::Expressions);
        }
        if has_dot_segment(&filled) {
            return Err(TemplateFault::DotSegment);
        }
        Ok(Self {
            text: text.to_owned(),
            parts,
        })
    }

    /// Returns the text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Tells whether every expression is one variable without operator and modifier (level 1).
    pub fn is_simple(&self) -> bool {
        self.parts.iter().all(|part| match part {
            Part::Literal(_) => true,
            Part::Expression(expression) => expression.simple,
        })
    }

    /// Matches a whole address. Where several assignments are possible, earlier expressions take the most.
    ///
    /// The steps stay below the length of the address times the length of the template.
    pub fn matches(&self, address: &str) -> Option<TemplateMatch> {
        self.matches_counted(address).0
    }

    /// Matches, and counts the comparisons of units.
    pub(super) fn matches_counted(&self, address: &str) -> (Option<TemplateMatch>, usize) {
        if has_dot_segment(address) {
            return (None, 0);
        }
        let offsets_and_units = units(address);
        let spelled: Vec<Unit> = offsets_and_units.iter().map(|&(_, unit)| unit).collect();
        let mut steps = 0;
        // reached[k][p]: the first k parts can stand for the first p units.
        let mut reached = vec![vec![false; spelled.len() + 1]];
        reached[0][0] = true;
        for (k, part) in self.parts.iter().enumerate() {
            let next = part.advance(&spelled, &reached[k], &mut steps);
            if !next.contains(&true) {
                return (None, steps);
            }
            reached.push(next);
        }
        if !reached[self.parts.len()][spelled.len()] {
            return (None, steps);
        }
        let offset = |at: usize| {
            offsets_and_units
                .get(at)
                .map_or(address.len(), |unit| unit.0)
        };
        let mut variables = Vec::new();
        let mut end = spelled.len();
        for (part, from) in self.parts.iter().zip(&reached).rev() {
            let start = part.retreat(&spelled, from, end, &mut steps);
            if let Part::Expression(expression) = part {
                variables.push(Variable {
                    expression: expression.text.clone(),
                    value: address[offset(start)..offset(end)].to_owned(),
                });
            }
            end = start;
        }
        variables.reverse();
        // A value alone must not lead anywhere either, whatever stands before it.
        let leads_out = variables
            .iter()
            .any(|variable| has_dot_segment(&variable.value));
        let found = (!leads_out).then_some(TemplateMatch { variables });
        (found, steps)
    }
}

fn push_literal(parts: &mut Vec<Part>, text: &str) {
    if !text.is_empty() {
        parts.push(Part::Literal(
            units(text).into_iter().map(|(_, unit)| unit).collect(),
        ));
    }
}

impl Part {
    /// Returns where the part can end, given where it can begin.
    fn advance(&self, spelled: &[Unit], from: &[bool], steps: &mut usize) -> Vec<bool> {
        let mut to = vec![false; from.len()];
        match self {
            Self::Literal(literal) => {
                for (at, _) in from.iter().enumerate().filter(|(_, reached)| **reached) {
                    *steps += literal.len();
                    if spelled[at..].starts_with(literal) {
                        to[at + literal.len()] = true;
                    }
                }
            }
            Self::Expression(expression) => {
                let prefix = expression.prefix();
                // Characters of the shortest expansion that began further left and is still going on.
                let mut open: Option<usize> = None;
                for (at, reached) in from.iter().enumerate() {
                    *steps += 1;
                    let before = at.checked_sub(1).map(|at| spelled[at]);
                    let begins = at > 0 && from[at - 1];
                    open = before.and_then(|unit| {
                        let begun = match prefix {
                            None => (begins && expression.admits(unit)).then_some(1),
                            Some(first) => (begins && unit == first).then_some(0),
                        };
                        let gone_on = open.filter(|_| expression.admits(unit));
                        let gone_on = gone_on.map(|chars| chars + usize::from(!continues(unit)));
                        begun
                            .or(gone_on)
                            .filter(|&chars| expression.admits_length(chars))
                    });
                    // With an operator that has a prefix, undefined variables leave nothing.
                    to[at] = open.is_some() || (prefix.is_some() && *reached);
                }
            }
        }
        to
    }

    /// Returns the last place where the part can begin that ends at `end`; there is one.
    fn retreat(&self, spelled: &[Unit], from: &[bool], end: usize, steps: &mut usize) -> usize {
        let expression = match self {
            Self::Literal(literal) => return end - literal.len(),
            Self::Expression(expression) => expression,
        };
        let prefix = expression.prefix();
        if prefix.is_some() && from[end] {
            return end;
        }
        let mut start = end;
        while start > 0 {
            *steps += 1;
            let unit = spelled[start - 1];
            start -= 1;
            if from[start] && prefix.is_none_or(|first| unit == first) {
                break;
            }
            if !expression.admits(unit) {
                break;
            }
        }
        start
    }
}

impl Serialize for UriTemplate {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text)
    }
}
