/*
 * Covered here: the diffs of commits and merge requests as text, by the API and by the addresses of
 * pages that end in `.diff` and `.patch`, and that git takes them.
 */
import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defaultCodeLimits } from '../platform/config/code-limits.ts'
import { openBrowser, type WebBrowser } from '../testing/clients/web-browser.ts'
import { buildWorkTree, commit, gitInput, mustGit, newFolder } from '../testing/git/git-client.ts'
import { buildPushedProject, type PushedProject } from '../testing/git/repository.ts'
import { noise } from '../testing/noise.ts'
import { buildTestServer, type TestServer } from '../testing/test-server.ts'

let server: TestServer
let built: PushedProject
let browser: WebBrowser
let path: string
let api: string
/** A commit of the request, and the merge of another one. */
let oid: string
let merge: string
let root: string

beforeAll(async () => {
  server = await buildTestServer()
  built = await buildPushedProject(
    server,
    { 'a.txt': 'one\ntwo\n', old: 'moved\n' },
    { visibility: 'private' },
  )
  const { tree } = built
  root = await mustGit(tree, 'rev-parse', 'HEAD')
  await mustGit(tree, 'checkout', '--quiet', '-b', 'topic')
  await writeFile(join(tree, 'bytes'), Buffer.from([0, 255, 1, 254]))
  await mustGit(tree, 'mv', 'old', 'neu & "é"')
  oid = await commit(tree, { 'a.txt': 'one\n2\n' }, 'Ändere a\n\nBody')
  await mustGit(tree, 'checkout', '--quiet', '-b', 'side', 'main')
  await commit(tree, { side: 'side\n' }, 'Side')
  await mustGit(tree, 'checkout', '--quiet', 'topic')
  await mustGit(tree, 'merge', '--quiet', '--no-edit', 'side')
  merge = await mustGit(tree, 'rev-parse', 'HEAD')
  await commit(tree, { b: 'b\n' }, 'Last')
  await built.push('topic')
  const { token } = server.root
  const body = { source_branch: 'topic', target_branch: 'main', title: 'Topic' }
  const made = await server.inject('POST', `/projects/${built.project.id}/merge_requests`, {
    token,
    body,
  })
  expect(made.body.iid).toBe(1)
  path = `/${built.project.path_with_namespace}/-`
  api = `/projects/${built.project.id}`
  browser = await openBrowser(server, server.root)
})
afterAll(() => server.close())

/** Applies a text to the first commit; returns the resulting tree. */
async function applied(text: Buffer, ...args: string[]): Promise<string> {
  const folder = join(await newFolder(), 'clone')
  await mustGit(
    built.tree,
    'clone',
    '--quiet',
    '--no-local',
    '--branch',
    'main',
    built.tree,
    folder,
  )
  await gitInput(folder, text, ...args)
  return mustGit(
    folder,
    args[0] === 'am' ? 'rev-parse' : 'write-tree',
    ...(args[0] === 'am' ? ['HEAD^{tree}'] : []),
  )
}

const treeOf = (revision: string) => mustGit(built.tree, 'rev-parse', `${revision}^{tree}`)

async function read(address: string): Promise<Buffer> {
  const answer = await browser.send(address)
  expect([answer.status, answer.headers.get('content-type')]).toEqual([
    200,
    'text/plain; charset=utf-8',
  ])
  expect(answer.headers.get('content-security-policy')).toContain('sandbox')
  expect(answer.headers.get('cache-control')).toBe('private, no-cache')
  return Buffer.from(await answer.arrayBuffer())
}

describe('GET /<project>/-/commit/<sha>.patch', () => {
  it('sends an e-mail that `git am` takes, with binary files and the message', async () => {
    const patch = await read(`${path}/commit/${oid}.patch`)
    expect(patch.toString()).toMatch(/^From [0-9a-f]{40} Mon Sep 17 00:00:00 2001\n/)
    expect(await applied(patch, 'am', '--quiet')).toBe(await treeOf(oid))
    const answer = await server.inject(
      'GET',
      `${api}/repository/commits/${oid}/raw_diffs?format=patch`,
      {
        token: server.root.token,
      },
    )
    expect(answer.bytes.equals(patch)).toBe(true)
  })

  it('sends the commits that a merge brings', async () => {
    const patch = (await read(`${path}/commit/${merge.slice(0, 10)}.patch`)).toString()
    expect(patch.match(/^Subject: .*$/gm)).toEqual(['Subject: [PATCH] Side'])
  })

  it('sends the first commit', async () => {
    const patch = await read(`${path}/commit/${root}.patch`)
    const folder = await buildWorkTree({ x: 'x' })
    await gitInput(folder, patch, 'am', '--quiet')
    expect(await mustGit(folder, 'ls-tree', '--name-only', 'HEAD')).toBe('a.txt\nold\nx')
  })
})

describe('GET /<project>/-/commit/<sha>.diff', () => {
  it('sends a diff that `git apply` takes', async () => {
    const diff = await read(`${path}/commit/${oid}.diff`)
    expect(diff.toString()).toMatch(/^diff --git a\/a\.txt b\/a\.txt\n/)
    expect(await applied(diff, 'apply', '--index')).toBe(await treeOf(oid))
  })

  it('is a 404 for what is no commit', async () => {
    for (const name of [`${'0'.repeat(40)}.diff`, 'main.diff', `${oid}.other`, '.patch']) {
      expect((await browser.send(`${path}/commit/${name}`)).status).toBe(404)
    }
  })

  it('has links on the page of the commit', async () => {
    const page = await browser.open(`${path}/commit/${oid}`)
    expect((await page.follow('Plain diff')).text).toMatch(/^diff --git /)
    expect((await page.follow('Email patches')).text).toMatch(/^From /)
  })
})

describe('GET /<project>/-/merge_requests/<iid>.patch and .diff', () => {
  it('send what git takes, of all commits but merges', async () => {
    const patch = await read(`${path}/merge_requests/1.patch`)
    expect(patch.toString().match(/^Subject: /gm)).toHaveLength(3)
    expect(await applied(patch, 'am', '--quiet')).toBe(await treeOf('topic'))
    const diff = await read(`${path}/merge_requests/1.diff`)
    expect(await applied(diff, 'apply', '--index')).toBe(await treeOf('topic'))
  })

  it('have links on the page of the changes', async () => {
    const page = await browser.open(`${path}/merge_requests/1/diffs`)
    expect((await page.follow('Plain diff')).text).toMatch(/^diff --git /)
    expect((await page.follow('Email patches')).text).toMatch(/^From /)
  })

  it('are a 404 for others, and for what is no merge request', async () => {
    const visitor = await openBrowser(server, await server.buildUser())
    for (const name of ['1.patch', '1.diff']) {
      expect((await visitor.send(`${path}/merge_requests/${name}`)).status).toBe(404)
    }
    for (const name of ['2.patch', '0.diff', 'x.diff', '1.txt', '99999999999.diff']) {
      expect((await browser.send(`${path}/merge_requests/${name}`)).status).toBe(404)
    }
  })

  it('answer HEAD without git', async () => {
    const before = server.app.git.spawnCount
    const answer = await browser.send(`${path}/merge_requests/1.patch`, { method: 'HEAD' })
    expect([answer.status, server.app.git.spawnCount]).toEqual([200, before])
  })
})

describe('GET .../raw_diffs', () => {
  it('requires the right to read the code', async () => {
    const guest = await server.buildUser()
    const commitUrl = `${api}/repository/commits/${oid}/raw_diffs`
    const status = async (url: string) =>
      (await server.inject('GET', url, { token: guest.token })).status
    expect(await status(commitUrl)).toBe(404)
    await server.addMember(`projects/${built.project.id}`, guest.id, 10)
    expect(await status(commitUrl)).toBe(403)
    expect(await status(`${api}/merge_requests/1/raw_diffs`)).toBe(403)
  })

  it('leaves no git process behind when the client leaves', async () => {
    const { tree } = built
    await mustGit(tree, 'checkout', '--quiet', 'topic')
    await writeFile(join(tree, 'large'), (await noise(7 * 1024 * 1024)).toString('hex'))
    const large = await commit(tree, {}, 'Large')
    await built.push('topic')
    const answer = await browser.send(`${path}/commit/${large}.diff`)
    const reader = answer.body?.getReader()
    await reader?.read()
    expect(diffsRunning()).toBe(1)
    await reader?.cancel()
    await expect.poll(diffsRunning).toBe(0)
  })

  it('returns 422 if it takes git too long before the first byte', async () => {
    const { config } = server.app
    config.codeLimits = {
      ...defaultCodeLimits,
      rawDiff: { ...defaultCodeLimits.rawDiff, timeoutMs: 0.5 },
    }
    const { token } = server.root
    const answer = await server.inject('GET', `${api}/repository/commits/${oid}/raw_diffs`, {
      token,
    })
    config.codeLimits = defaultCodeLimits
    expect(answer.status).toBe(422)
  })
})

function diffsRunning(): number {
  const pid = String(server.app.git.brokerPid)
  const children = execFileSync('ps', ['--ppid', pid, '-o', 'args=']).toString()
  return children.split('\n').filter((line) => line.includes(' diff-tree ')).length
}
