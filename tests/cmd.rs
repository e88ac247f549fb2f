//! Command line cases as data: `tests/cmd/*.toml` says what is typed and what comes out.

#[test]
fn cases() {
    trycmd::TestCases::new().case("../tests/cmd/*.toml").run();
}
