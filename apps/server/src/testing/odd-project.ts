import type { TestUser } from './factories.ts'
import { buildWorkTree, commit, mustGit, remoteUrl } from './git/git-client.ts'
import type { Json, TestServer } from './test-server.ts'

/** Markup, and what addresses, queries and quoting mean something by. */
const special = `%2f%00 #1?a=b&c;\\"'<img/src=x onerror=alert(1)>\`~@:!,*[]{}|^`

/** Texts of at most 255 characters that are hard to show, to link and to lay out. */
export const oddTexts: Readonly<Record<string, string>> = {
  special: fill(special),
  rightToLeft: fill('\u202eשלום \u2067abc\u2069 مرحبا \u200f'),
  combining: `e${'\u0301'.repeat(254)}`,
  emoji: fill('👩‍👩‍👧‍👦🇩🇪'),
  zeroWidth: `z${'\u200b\u200d\ufeff\u2060'.repeat(63)}`,
  unbroken: 'W'.repeat(255),
}

/** Repeats a text up to 255 characters, and never cuts one in two. */
function fill(part: string): string {
  return [...part.repeat(Math.ceil(255 / part.length))].reduce(
    (text, character) => (text.length + character.length > 255 ? text : text + character),
    '',
  )
}

/** Names that git takes for a branch or a tag. */
const refNames = [
  ...['%2f%00#1;"\'<img>&=+!@,`{}|', '\u202eשלום/\u2067abc\u2069', 'e\u0301\u0301', '👩‍👩‍👧‍👦🇩🇪'],
  ...[
    'z\u200b\u200d',
    'W'.repeat(240),
    'tree/main',
    'x/-/commits',
    '%',
    '#',
    'HEAD/x',
    'a/b/c/d/e/f',
  ],
]

/** Names that git takes for a file. */
const fileNames = [
  ...[
    '%2f%00 #1?a=b&c;\\"\'<img src=x>',
    ' blanks ',
    '\u202eשלום.txt',
    '👩‍👩‍👧‍👦',
    '-',
    '?',
    '#',
    '%',
  ],
  ...['W'.repeat(250), 'a\\b', '...', 'new\nline', "quote'"],
]

export interface OddProject {
  project: Json
  group: Json
  owner: TestUser
}

/** Builds a public project in which everything has an odd name. */
export async function buildOddProject(server: TestServer): Promise<OddProject> {
  const owner = await server.buildUser({ name: oddTexts.special })
  const named = { name: 'W'.repeat(255), visibility: 'public' }
  const group = await server.buildGroup({ ...named, description: oddTexts.rightToLeft }, owner)
  const values = {
    ...named,
    path: `p${'-'.repeat(200)}.p`,
    namespace_id: group.id,
    description: `${oddTexts.special} ${oddTexts.unbroken}`,
    tag_list: ['#1?&', '\u202e"<b>'],
  }
  const project = await server.buildProject(values, owner)
  await pushOddRefs(server, project, owner)
  const post = async (path: string, body: object): Promise<void> => {
    const { status, text } = await server.inject('POST', path, { token: owner.token, body })
    if (status >= 300) throw new Error(`POST ${path} ${JSON.stringify(body)}: ${status} ${text}`)
  }
  for (const text of Object.values(oddTexts)) {
    await postPlans(post, `/projects/${project.id}`, text)
    await postGroupPlans(post, `/groups/${group.id}`, text)
  }
  for (const ref of refNames) await postChanges(post, `/projects/${project.id}`, ref)
  return { project, group, owner }
}

async function pushOddRefs(server: TestServer, project: Json, owner: TestUser): Promise<void> {
  const tree = await buildWorkTree()
  const files = fileNames.map((name) => [name, `of ${name}\n`])
  await commit(tree, Object.fromEntries(files), oddTexts.special ?? '')
  for (const ref of refNames) {
    await mustGit(tree, 'checkout', '--quiet', '-b', ref, 'main')
    await commit(tree, { 'one.txt': ref }, ref)
    await mustGit(tree, 'tag', tagOf(ref))
  }
  const base = await server.url()
  const remote = remoteUrl(base, project.path_with_namespace, owner.username, owner.token)
  await mustGit(tree, 'push', '--quiet', remote, '--all')
  await mustGit(tree, 'push', '--quiet', remote, '--tags')
}

function tagOf(ref: string): string {
  return `t-${ref}`
}

type Post = (path: string, body: object) => Promise<void>

async function postPlans(post: Post, own: string, text: string): Promise<void> {
  const label = labelOf(text)
  await post(`${own}/labels`, { name: label, color: '#aabbcc', description: text })
  await post(`${own}/milestones`, { title: text, description: text })
  await post(`${own}/issues`, { title: text, description: text, labels: label })
  await post(`${own}/issues/1/notes`, { body: text })
  await post(`${own}/boards`, { name: text })
  const snippet = { title: text, file_name: text, content: text, description: text }
  await post(`${own}/snippets`, { ...snippet, visibility: 'public' })
  await post(`${own}/wikis`, { title: wikiTitleOf(text), content: text })
}

async function postGroupPlans(post: Post, own: string, text: string): Promise<void> {
  const title = `g ${text}`.slice(0, 250)
  await post(`${own}/epics`, { title, description: text })
  await post(`${own}/labels`, { name: labelOf(title), color: '#aabbcc' })
  await post(`${own}/milestones`, { title })
}

async function postChanges(post: Post, own: string, ref: string): Promise<void> {
  const branches = { source_branch: ref, target_branch: 'main' }
  await post(`${own}/merge_requests`, { ...branches, title: `Of ${ref}`, description: ref })
  const tag = `${own}/repository/tags/${encodeURIComponent(tagOf(ref))}`
  await post(`${tag}/release`, { description: ref })
}

/** Labels are listed with commas between. */
function labelOf(text: string): string {
  return text.replaceAll(',', '')
}

/** A part of the path of a page has at most 255 bytes. */
function wikiTitleOf(text: string): string {
  return text.replace('%00', '').replaceAll('\\', '').slice(0, 60)
}
