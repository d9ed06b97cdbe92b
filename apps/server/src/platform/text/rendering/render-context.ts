/** The context of a text, and which features it is rendered with. */
export interface RenderContext {
  /** Emoji, references, heading anchors and highlighted code; plain Markdown without it. */
  gfm: boolean
  /** Whether the text is a title: one line without paragraphs, lists and other blocks. */
  inline?: true
  /** URL of the service, without a trailing slash. */
  webUrl: string
  /** The project that relative URLs and references such as `#1` are resolved in. */
  project?:
    | {
        fullPath: string
        /** Where relative URLs lead to; null without any commit. */
        ref: string | null
        /** The file that the text is, by which they are resolved; the root without it. */
        path?: string
        /** The slug of the page of the wiki that the text is, whose links lead to its other pages. */
        wiki?: string
      }
    | undefined
}

/** A reference as resolved for one reader. */
export interface ResolvedReference {
  /** As in CSS classes: `issue`, `project_member`. */
  kind: string
  /** As in `data-reference-type`, if that differs from the kind. */
  type?: string
  href: string
  title: string
  /** As short as the context allows: `#1`, `project#1`, `group/project#1`. */
  text: string
  /** Values of `data-` attributes by name. */
  data: Readonly<Record<string, string | number>>
  /** Background colour of a label, `#rrggbb`, and its text colour. */
  colors?: { background: string; text: string }
}
