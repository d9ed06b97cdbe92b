declare module 'markdown-it-footnote' {
  import type { MarkdownIt } from 'markdown-it'

  const footnotes: (md: MarkdownIt) => void
  // biome-ignore lint/style/noDefaultExport: the package has a default export
  export default footnotes
}
