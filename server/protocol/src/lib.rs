//! JSON of requests and answers, for the command line and editors. Other programs rely on the member names.

pub mod answer;
pub mod command_line;
pub mod find;
pub mod finding;
pub mod paths;
pub mod printable;
pub mod request;
pub mod uri;
