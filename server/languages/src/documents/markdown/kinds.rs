//! The literal kinds of Markdown and MDX.

pathfinder_literals::literal_kinds! {
    /// File of a site that a property of a component names: `<Image src="/img/a.png" />`.
    COMPONENT = "md.component";
    /// Target of a link definition: `[a]: b.md`.
    DEFINITION = "md.definition";
    /// File in a line for a tool, such as `{src="snippets/a.kt"}`, or in the title of a block of code.
    DIRECTIVE = "md.directive";
    /// Document of the MyST role `{doc}`.
    DOC = "md.doc";
    /// File of the MyST role `{download}`.
    DOWNLOAD = "md.download";
    /// Image of the MyST directives `image` and `figure`.
    FIGURE = "md.figure";
    /// Image in the front matter.
    FRONT_IMAGE = "md.front.image";
    /// Page of a key `link` in the front matter.
    FRONT_LINK = "md.front.link";
    /// `href` of an HTML element in Markdown.
    HTML_HREF = "md.html.href";
    /// `poster` of a `video` in Markdown.
    HTML_POSTER = "md.html.poster";
    /// `src` of an HTML element in Markdown.
    HTML_SRC = "md.html.src";
    /// Candidate in `srcset` of an HTML element in Markdown.
    HTML_SRCSET = "md.html.srcset";
    /// Image: `![a](b.png)`.
    IMAGE = "md.image";
    /// File that a generator includes: `--8<--`, `{include}`, `{% include_relative %}` and the like.
    INCLUDE = "md.include";
    /// Layout in the front matter.
    LAYOUT = "md.layout";
    /// Link: `[a](b.md)`.
    LINK = "md.link";
    /// File of the Liquid tag `include`.
    LIQUID_INCLUDE = "md.liquid.include";
    /// Page of the Liquid tag `link`.
    LIQUID_LINK = "md.liquid.link";
    /// Post of the Liquid tag `post_url`.
    LIQUID_POST = "md.liquid.post";
    /// File of the MyST directive `literalinclude`.
    LITERALINCLUDE = "md.literalinclude";
    /// Page or file that a shortcode of Hugo or an expression in double braces names.
    SHORTCODE = "md.shortcode";
    /// Path in a guide, as `README.md`, of a file that a recent commit moved: `src/a.rs`.
    STRING = "md.string";
    /// Document of a MyST `toctree`.
    TOCTREE = "md.toctree";
    /// Module of `import` in MDX, or in a script of a page that Vue compiles.
    MDX_IMPORT = "mdx.import";
}
