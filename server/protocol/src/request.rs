//! Decodes one JSON object as a [`Request`]. Unknown members are ignored, known ones must be valid.

use std::collections::BTreeMap;

use pathfinder_core::{Op, Request};
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

/// Values of members that a request does not have.
#[derive(Clone, Copy, Debug)]
pub struct Defaults {
    /// Number of candidates.
    pub limit: usize,
    /// True if scores are explained.
    pub explain: bool,
}

/// A line, decoded as far as possible.
#[derive(Debug)]
pub struct DecodedRequest<T = Request> {
    /// The caller's id of the request, exactly as written; `None` if the line has none that can be read.
    pub id: Option<Box<RawValue>>,
    /// The request, or a message about its error.
    pub request: Result<T, String>,
}

/// Members of one JSON object. Each is decoded on access, so that an error can name it.
#[derive(Debug)]
pub struct Fields<'a>(BTreeMap<String, &'a RawValue>);

impl<'a> Fields<'a> {
    /// Parses an object.
    ///
    /// # Errors
    /// A message, when the text is no object; `what` names the text.
    pub fn parse(text: &'a str, what: &str) -> Result<Self, String> {
        match serde_json::from_str(text) {
            Ok(fields) => Ok(Self(fields)),
            Err(error) if error.is_data() => Err("a request is a JSON object".to_owned()),
            Err(error) => Err(format!("{what} is not JSON: {error}")),
        }
    }

    /// Returns a member of one type; `null` counts as missing.
    ///
    /// # Errors
    /// A message, when the member has another type than `what` says.
    pub fn get<T: DeserializeOwned>(&self, name: &str, what: &str) -> Result<Option<T>, String> {
        let Some(raw) = self.0.get(name) else { return Ok(None) };
        serde_json::from_str(raw.get()).map_err(|_| format!("{name} must be {what}"))
    }

    /// Returns a number. Models send numbers as texts (`"10"`) and as fractions (`10.0`).
    ///
    /// # Errors
    /// A message, when the member is no number, or `fits` returns false.
    pub fn number(&self, name: &str, what: &str, fits: impl Fn(f64) -> bool) -> Result<Option<f64>, String> {
        let Some(value) = self.get::<serde_json::Value>(name, what)? else { return Ok(None) };
        let number = match &value {
            serde_json::Value::Null => return Ok(None),
            serde_json::Value::Number(number) => number.as_f64(),
            serde_json::Value::String(text) => text.trim().parse().ok(),
            _ => None,
        };
        number.filter(|number| fits(*number)).map(Some).ok_or_else(|| format!("{name} must be {what}"))
    }

    /// Returns a whole number.
    ///
    /// # Errors
    /// A message, when the member is no whole number, or is less than `least`.
    pub fn count(&self, name: &str, what: &str, least: usize) -> Result<Option<usize>, String> {
        let fits = |number: f64| number.fract() == 0.0 && number >= least as f64;
        Ok(self.number(name, what, fits)?.map(|number| number as usize))
    }

    /// Returns the members without one.
    #[must_use]
    pub fn without(&self, name: &str) -> Self {
        let mut rest = self.0.clone();
        rest.remove(name);
        Self(rest)
    }

    /// Decodes the members as a request.
    ///
    /// # Errors
    /// A message, when a member is invalid.
    pub fn request(&self, defaults: Defaults) -> Result<Request, String> {
        let text = |name| self.get::<String>(name, "a text");
        let failed_path =
            text("failed_path")?.ok_or("failed_path is missing: give the path that could not be found")?;
        Ok(Request {
            failed_path,
            op: text("op")?.map_or(Ok(Op::default()), |name| parse_op(&name))?,
            intent_text: text("intent_text")?.unwrap_or_default(),
            root_hint: text("root_hint")?,
            from_file: text("from_file")?,
            history: self.get("history", "a list of texts")?.unwrap_or_default(),
            evidence: self.evidence()?,
            lexical: false,
            // The engine refuses numbers out of range with a message of its own.
            limit: self.count("limit", "a whole number from 1 to 200", 0)?.unwrap_or(defaults.limit),
            explain: self.get("explain", "true or false")?.unwrap_or(defaults.explain),
        })
    }

    fn evidence(&self) -> Result<Option<String>, String> {
        const WHAT: &str = "an object such as {\"contains\":\"text in the file\"}";
        let Some(evidence) = self.get::<BTreeMap<String, Box<RawValue>>>("evidence", WHAT)? else { return Ok(None) };
        let Some(contains) = evidence.get("contains") else { return Ok(None) };
        serde_json::from_str(contains.get()).map_err(|_| "evidence.contains must be a text".to_owned())
    }
}

/// Decodes one line.
pub fn decode(line: &[u8], defaults: Defaults) -> DecodedRequest {
    decode_as(line, |fields| fields.request(defaults))
}

/// Decodes one line as a request of some kind.
pub fn decode_as<T>(line: &[u8], request: impl FnOnce(&Fields<'_>) -> Result<T, String>) -> DecodedRequest<T> {
    let bad = |message: String| DecodedRequest { id: None, request: Err(message) };
    let text = match std::str::from_utf8(line) {
        Ok(text) => text,
        Err(error) => return bad(format!("the line is not UTF-8 from byte {} on", error.valid_up_to())),
    };
    let fields = match Fields::parse(text, "the line") {
        Ok(fields) => fields,
        Err(message) => return bad(message),
    };
    let id = match fields.0.get("id").copied().map(|id| (id, id.get().as_bytes()[0])) {
        Some((_, b'{' | b'[' | b't' | b'f')) => return bad("id must be a text, a number or null".to_owned()),
        Some((id, _)) => Some(id.to_owned()),
        None => None,
    };
    DecodedRequest { id, request: request(&fields) }
}

fn parse_op(name: &str) -> Result<Op, String> {
    match name {
        "read" => Ok(Op::Read),
        "list" => Ok(Op::List),
        "stat" => Ok(Op::Stat),
        "edit" => Ok(Op::Edit),
        "write" => Ok(Op::Write),
        _ => Err("op must be read, list, stat, edit or write".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::{DecodedRequest, Defaults, decode};

    const DEFAULTS: Defaults = Defaults { limit: 10, explain: false };

    /// Decodes a line. Compares `ID: error`, or `ID: ` and the request's debug form after its type name.
    #[track_caller]
    fn check(line: impl AsRef<[u8]>, expect: &str) {
        let DecodedRequest { id, request } = decode(line.as_ref(), DEFAULTS);
        let id = id.map_or("-".to_owned(), |id| id.get().to_owned());
        let actual = match request {
            Ok(request) => format!("{id}: {request:?}").replace("Request ", ""),
            Err(message) => format!("{id}: {message}"),
        };
        assert!(actual.starts_with(expect), "{actual}\nshould start with\n{expect}");
    }

    #[test]
    fn decodes_every_member() {
        check(
            r#"{"id":"1","failed_path":"a/b","op":"edit","intent_text":"t","root_hint":"h","from_file":"f",
               "history":["x","y"],"evidence":{"contains":"c","more":1},"limit":7,"explain":true,"unknown":{}}"#,
            "\"1\": { failed_path: \"a/b\", op: Edit, intent_text: \"t\", root_hint: Some(\"h\"), from_file: Some(\"f\"), \
             history: [\"x\", \"y\"], evidence: Some(\"c\"), lexical: false, limit: 7, explain: true }",
        );
    }

    #[test]
    fn accepts_missing_and_null_members() {
        let expect = "{ failed_path: \"a\", op: Read, intent_text: \"\", root_hint: None, from_file: None, \
                      history: [], evidence: None, lexical: false, limit: 10, explain: false }";
        check(r#"{"failed_path":"a"}"#, &format!("-: {expect}"));
        check(
            r#"{"id":null,"failed_path":"a","op":null,"intent_text":null,"root_hint":null,"from_file":null,
               "history":null,"evidence":null,"limit":null,"explain":null}"#,
            &format!("null: {expect}"),
        );
    }

    #[test]
    fn keeps_ids_as_written() {
        for id in ["7", "-1.50e3", "123456789012345678901234567890", "\"\\u00e9\\n\"", "null"] {
            check(format!("{{\"id\":{id},\"failed_path\":5}}"), &format!("{id}: failed_path must be a text"));
        }
        check(r#"{"id":[1],"failed_path":"a"}"#, "-: id must be a text, a number or null");
        check(r#"{"id":true,"failed_path":"a"}"#, "-: id must be a text, a number or null");
    }

    #[test]
    fn accepts_limits_as_text_or_fraction() {
        let limit = |limit: &str| decode(format!("{{\"failed_path\":\"a\",\"limit\":{limit}}}").as_bytes(), DEFAULTS);
        for (text, number) in [("3", 3), ("\"3\"", 3), ("3.0", 3), ("\" 3.0 \"", 3), ("0", 0), ("1e99", usize::MAX)] {
            assert_eq!(limit(text).request.unwrap().limit, number, "{text}");
        }
        for text in ["-1", "2.5", "\"many\"", "[]", "true", "\"NaN\""] {
            assert_eq!(limit(text).request.unwrap_err(), "limit must be a whole number from 1 to 200", "{text}");
        }
    }

    #[test]
    fn reports_invalid_members() {
        check(r#"{"id":1}"#, "1: failed_path is missing");
        check(r#"{"id":1,"failed_path":null}"#, "1: failed_path is missing");
        check(r#"{"id":1,"failed_path":["a"]}"#, "1: failed_path must be a text");
        check(r#"{"id":1,"failed_path":"a","op":"delete"}"#, "1: op must be read, list, stat, edit or write");
        check(r#"{"id":1,"failed_path":"a","history":"x"}"#, "1: history must be a list of texts");
        check(r#"{"id":1,"failed_path":"a","history":[1]}"#, "1: history must be a list of texts");
        check(r#"{"id":1,"failed_path":"a","evidence":"x"}"#, "1: evidence must be an object such as");
        check(r#"{"id":1,"failed_path":"a","evidence":{"contains":1}}"#, "1: evidence.contains must be a text");
        check(r#"{"id":1,"failed_path":"a","explain":"yes"}"#, "1: explain must be true or false");
        check(r#"{"id":1,"failed_path":"\ud800"}"#, "1: failed_path must be a text");
        check(r#"{"id":1,"failed_path":"a""#, "-: the line is not JSON: EOF while parsing");
        check("nonsense", "-: the line is not JSON: expected");
        check(r#""a""#, "-: a request is a JSON object");
        check("[1]", "-: a request is a JSON object");
        check(b"{\"id\":1,\"failed_path\":\"a\xff\"}", "-: the line is not UTF-8 from byte 24 on");
        check("[".repeat(100_000), "-: ");
    }
}
