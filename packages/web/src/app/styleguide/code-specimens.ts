import { changeCounts, diffFileList, diffFiles } from '../../code/diffs/diff-files.ts'
import { layoutLinks } from '../../code/diffs/layout-links.ts'
import { badge } from '../../platform/design/badge.ts'
import { card } from '../../platform/design/card.ts'
import { codeHits, marked } from '../../platform/design/code-hits.ts'
import { codeLines } from '../../platform/design/code-lines.ts'
import { html } from '../../platform/html/html.ts'
import { beside, changedFile, linelessFiles } from './samples.ts'
import { type Family, specimen, specimenAddress } from './specimen.ts'

const blobAddress = () => specimenAddress

/** Lines of files, and what changes them. */
export function codeSpecimens(): Family {
  return {
    id: 'code',
    title: 'Code and diffs',
    specimens: [
      specimen('Lines of a file', card({ title: 'src/greet.ts', isFlush: true, body: lines() })),
      specimen('Lines that were found', card({ isFlush: true, body: hits() })),
      specimen('Text that was found', html`<p>${marked('Greets the user', 'greet')}</p>`),
      specimen('Files of a diff', diffFileList([changedFile, ...linelessFiles])),
      specimen('Lines added and removed', html`<p>${changeCounts({ added: 3, removed: 2 })}</p>`),
      specimen('Layouts of a diff', layoutLinks(specimenAddress, new URLSearchParams())),
      specimen(
        'Inline diff',
        diffFiles({
          entries: [changedFile],
          layout: 'inline',
          blobAddress,
          headerEnd: () => badge('viewed'),
          slots: { below: ({ newLine }) => (newLine === 2 ? html`Below a line.` : undefined) },
        }),
      ),
      specimen('Side by side', diffFiles({ entries: [beside], layout: 'parallel', blobAddress })),
      specimen(
        'Files without lines: binary, moved, mode, many changes, too large',
        diffFiles({ entries: linelessFiles, layout: 'inline', blobAddress }),
      ),
    ],
  }
}

function lines() {
  return codeLines({
    label: 'src/greet.ts',
    lines: [
      '<span class="hljs-comment">/** Says hello. */</span>',
      '<span class="hljs-keyword">export function</span> <span class="hljs-title">greet</span>(name: <span class="hljs-type">string</span>) {',
      '  <span class="hljs-keyword">return</span> <span class="hljs-string">&#39;Hello &#39;</span> + name',
      '}',
      '<span class="hljs-keyword">const</span> limit = <span class="hljs-number">42</span>',
      'a long line',
    ],
    cut: new Map([[6, 12_000]]),
  })
}

function hits() {
  return codeHits({
    label: 'Lines of src/greet.ts that were found',
    text: '/** Says hello. */\nexport function greet(name: string) {\n',
    start: 10,
    needle: 'hello',
    href: specimenAddress,
  })
}
