import { execFileSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { basename, join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { readPaging, sendJson, setCommonHeaders, setFileHeaders, setPageHeaders } from './answer.ts'
import { createAuthenticate } from './authenticate.ts'
import { type CatFile, startCatFile } from './cat-file.ts'
import type { Code, OpenCode } from './code.ts'
import type { Context } from './context.ts'
import { canReadCode, levelOf } from './project-shape.ts'
import { createFind, viewerOf } from './projects.ts'
import {
  registerBranches,
  registerCommit,
  registerFile,
  registerTree,
} from './repository-objects.ts'

/** The repository endpoints, with long-lived git processes managed by hand. */
export function registerRepository(server: FastifyInstance, context: Context): void {
  const openCode = createOpenCode(context)
  const pageOf = createCommitPages()
  server.get('/api/v4/projects/:id/repository/commits', async (request, reply) => {
    const code = openCode(request)
    const paging = readPaging(request.query)
    const tip = await code.reader.resolve(`refs/heads/${code.row.defaultBranch}`)
    const { commits, total } = pageOf(code, tip, paging.page, paging.perPage)
    const url = `${context.externalUrl}/api/v4/projects/${code.row.id}/repository/commits`
    setPageHeaders(reply, url, paging, total)
    return sendJson(request, reply, commits)
  })
  registerRawFile(server, openCode)
  registerCommit(server, context, openCode)
  registerTree(server, context, openCode)
  registerFile(server, openCode)
  registerBranches(server, context, openCode)
}

/** Checks the caller and the project of a request, and opens the reader of its repository. */
function createOpenCode(context: Context): OpenCode {
  const authenticate = createAuthenticate(context)
  const find = createFind(context)
  const readers = new Map<string, CatFile>()
  return (request) => {
    const viewer = viewerOf(authenticate(request))
    const row = find(viewer, Number((request.params as { id: string }).id))
    const level = levelOf(row, viewer.userId)
    if (!canReadCode(row, level)) throw new Error('forbidden')
    const path = join(context.folder, 'repositories', row.repositoryPath)
    const reader = readers.get(path) ?? startCatFile(path)
    readers.set(path, reader)
    return { row, level, path, reader }
  }
}

interface CommitPage {
  commits: object[]
  total: number
}

/** Pages of commits, cached by tip. */
function createCommitPages() {
  const pages = new Map<string, CommitPage>()
  return ({ path }: Code, tip: string, page: number, perPage: number): CommitPage => {
    const key = `${path} ${tip} ${page} ${perPage}`
    const known = pages.get(key)
    if (known !== undefined) return known
    const git = (...args: string[]) =>
      execFileSync('git', ['--git-dir', path, ...args], { encoding: 'utf8' })
    const total = Number(git('rev-list', '--count', tip))
    const format = '%H%x00%P%x00%an%x00%ae%x00%aI%x00%cn%x00%ce%x00%cI%x00%B%x01'
    const window = [`--skip=${(page - 1) * perPage}`, `--max-count=${perPage}`]
    const text = git('log', ...window, `--format=tformat:${format}`, tip)
    const commits = text.split('\x01\n').slice(0, -1).map(commitShape)
    const read = { commits, total }
    pages.set(key, read)
    return read
  }
}

function commitShape(text: string): object {
  const [id = '', parents = '', ...rest] = text.split('\0')
  const [authorName, authorEmail, authored = '', name, email, committed = '', raw = ''] = rest
  const withMs = (date: string) => date.replace(/(:\d\d)(?=Z$|[+-]\d\d:\d\d$)/, '$1.000')
  const message = `${raw.trimEnd()}\n`
  return {
    id,
    short_id: id.slice(0, 8),
    title: message.split('\n', 1)[0],
    message,
    parent_ids: parents === '' ? [] : parents.split(' '),
    author_name: authorName,
    author_email: authorEmail,
    authored_date: withMs(authored),
    committer_name: name,
    committer_email: email,
    committed_date: withMs(committed),
    created_at: withMs(committed),
  }
}

function registerRawFile(server: FastifyInstance, openCode: OpenCode): void {
  const lastCommits = new Map<string, string>()
  const lastCommit = (path: string, tip: string, file: string) => {
    const key = `${path} ${tip} ${file}`
    const args = ['--git-dir', path, 'rev-list', '-1', tip, '--', file]
    const found = lastCommits.get(key) ?? execFileSync('git', args, { encoding: 'utf8' }).trim()
    lastCommits.set(key, found)
    return found
  }
  server.get('/api/v4/projects/:id/repository/files/:file_path/raw', async (request, reply) => {
    const { path, reader } = openCode(request)
    const { file_path: file } = request.params as { file_path: string }
    const { ref = '' } = request.query as { ref?: string }
    const [tip, blob] = await Promise.all([reader.resolve(ref), reader.read(`${ref}:${file}`)])
    const name = basename(file)
    setCommonHeaders(reply)
    setFileHeaders(reply, {
      file_name: name,
      file_path: file,
      size: blob.size,
      encoding: 'base64',
      content_sha256: hash('sha256', blob.content),
      ref,
      blob_id: blob.oid,
      commit_id: tip,
      last_commit_id: lastCommit(path, tip, file),
    })
    reply.headers({
      etag: `"${blob.oid}"`,
      'content-type': 'text/plain; charset=utf-8',
      'content-length': String(blob.size),
      'content-disposition': `inline; filename="${name}"`,
      'content-security-policy': "default-src 'none'; sandbox",
    })
    if (request.headers['if-none-match'] === `"${blob.oid}"`) return reply.code(304).send()
    return reply.send(blob.content)
  })
}
