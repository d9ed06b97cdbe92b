const mebibyte = 1 << 20

function fill(text: string, length = mebibyte): string {
  return text.repeat(Math.ceil(length / text.length)).slice(0, length)
}

const prose = `## How a request is answered

The server keeps *no state* between requests beyond **caches**, and a cache is keyed by what is \`immutable\` or
checked: see [the notes](https://example.com/a?b=c) and https://example.com/x for more about it.

- one item of a list, with a [link](docs/a.md)
- another with \`code\` in it
  1. and one below
- [x] a task that is done

| part  | what it does | costs |
| ----- | ------------ | ----: |
| store | remembers    |    12 |
| git   | keeps code   |     3 |

> What is quoted goes on
> over two lines.

\`\`\`
POST /api/v4/markdown
\`\`\`

`

const withReferences = prose
  .replace('beyond', 'beyond #12, !3 :tada: @root')
  .replace('quoted', '~bug')
const withHtml = prose
  .replace('*no state*', '<kbd>no</kbd> state<br>')
  .replace('> What', '<details>\n<summary>More</summary>\n\n**Within**\n\n</details>\n\n> What')
const withCode = prose.replace('```\nPOST /api/v4/markdown\n', '```js\nconst a = await get("/x")\n')

/** Ordinary texts of 1 MiB, and whether they are GitLab Flavored Markdown. */
export const ordinaryTexts: readonly { name: string; text: string; gfm: boolean }[] = [
  { name: 'plain', text: fill(prose), gfm: false },
  { name: 'plain, with HTML in it', text: fill(withHtml), gfm: false },
  { name: 'flavoured', text: fill(prose), gfm: true },
  { name: 'flavoured, with references', text: fill(withReferences), gfm: true },
  { name: 'flavoured, with highlighted code', text: fill(withCode), gfm: true },
]

/** Hostile texts, by length. */
export const hostileTexts: readonly { name: string; text: (length: number) => string }[] = [
  { name: 'brackets', text: (length) => fill('[', length) },
  {
    name: 'images in images',
    text: (length) => fill('![a', length / 2) + fill('](b)', length / 2),
  },
  { name: 'stars', text: (length) => fill('*a _b ', length) },
  { name: 'lines of quotes', text: (length) => fill('> a\nb\n', length) },
  { name: 'elements in elements', text: (length) => fill('a<b>', length) },
  { name: 'comments without an end', text: (length) => fill('<!-- ', length) },
  { name: 'references', text: (length) => fill('#1 @a ~b ', length) },
  { name: 'rows of a table', text: (length) => `|a|b|\n|-|-|\n${fill('|1|2|\n', length)}` },
]
