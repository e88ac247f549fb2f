//! Tests of what history says: commits as lines, a question, the answer.

mod dates;
mod fates;
mod laws;
mod written;
