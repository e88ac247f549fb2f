//! Tests of the LaTeX checker: resolved and missing paths, and cases that must not be reported.

use proptest::prelude::*;

use crate::testing::check;

const TREE: &str = "
    paper/chapters/one.tex
    paper/figs/a.pdf
    paper/plots/b.png
    paper/plots/draw.R
    paper/refs.bib
";

#[test]
fn checks_documents() {
    check(
        TREE,
        "paper/main.tex",
        r"\graphicspath{{figs/}{plots/}}
\input{chapters/one} \include{chapters/two} \input{chapters/one.tex} \input{xy} % \input{chapters/no}
\includegraphics[width=\textwidth]{a} \includegraphics{plots/b.png}\includegraphics{figs/gone} \includegraphics{plots/draw}
\bibliography{refs,chapters/gone} \addbibresource{refs.bib}
\IfFileExists{chapters/opt}{\input{chapters/opt}}{} \input{\jobname.x} \input{chapters/#1}
\begin{verbatim}
\input{chapters/no}
\end{verbatim}
100\% \input{chapters/three} \subfile{chapters/one} \lstinputlisting[language=C]{figs/gone.c}",
        "tex.input chapters/one → paper/chapters/one.tex
        tex.include chapters/two → missing
        tex.input chapters/one.tex → paper/chapters/one.tex
        tex.input xy → unknown elsewhere
        tex.graphics a → paper/figs/a.pdf
        tex.graphics plots/b.png → paper/plots/b.png
        tex.graphics figs/gone → missing
        tex.graphics plots/draw → unknown produced
        tex.bibliography refs → paper/refs.bib
        tex.bibliography chapters/gone → missing
        tex.bibliography refs.bib → paper/refs.bib
        tex.input chapters/opt → unknown optional
        tex.input \\jobname.x → unknown dynamic
        tex.input chapters/#1 → unknown dynamic
        tex.input chapters/three → missing
        tex.input chapters/one → paper/chapters/one.tex
        tex.listing figs/gone.c → missing",
    );
    check(
        TREE,
        "paper/chapters/x.tex",
        "% !TeX root = ../main.tex\n\\input{chapters/one}",
        "tex.input chapters/one → paper/chapters/one.tex",
    );
}

proptest! {
    #[test]
    fn accepts_any_text(text in r"([{}\[\]%,*\r\n #]|\\|\\input|\\begin|verbatim|a/b|é|\\includegraphics){0,40}") {
        crate::testing::assert_ranges_valid("a/x.tex", &text);
    }
}
