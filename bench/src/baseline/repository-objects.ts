import { execFileSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { statSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { readPaging, sendJson, setFileHeaders, setPageHeaders } from './answer.ts'
import type { Code, OpenCode } from './code.ts'
import { commitOf } from './commit-object.ts'
import type { Context } from './context.ts'

/** One commit with its stats and its newest pipeline. */
export function registerCommit(server: FastifyInstance, { db }: Context, open: OpenCode): void {
  const newest = db.prepare(
    `select id, ref, sha, status from pipelines where "projectId" = +? and sha = +?
     order by id desc limit 1`,
  )
  const cache = new Map<string, object>()
  server.get('/api/v4/projects/:id/repository/commits/:sha', async (request, reply) => {
    const { row, path, reader } = open(request)
    const { oid, content } = await reader.read((request.params as { sha: string }).sha)
    const commit = commitOf(oid, content)
    const stats = cache.get(oid) ?? countLines(path, oid)
    cache.set(oid, stats)
    const pipeline = newest.get(row.id, oid) as { status: string } | undefined
    return sendJson(request, reply, {
      ...commit,
      created_at: commit.committed_date,
      stats,
      status: pipeline?.status ?? null,
      last_pipeline: pipeline ?? null,
      project_id: row.id,
    })
  })
}

function countLines(path: string, oid: string): object {
  const args = ['--git-dir', path, 'show', '--shortstat', '--format=', '-M', oid]
  const text = execFileSync('git', args, { encoding: 'utf8' })
  const additions = Number(/(\d+) insertion/.exec(text)?.[1] ?? 0)
  const deletions = Number(/(\d+) deletion/.exec(text)?.[1] ?? 0)
  return { additions, deletions, total: additions + deletions }
}

/** The entries of a folder. */
export function registerTree(server: FastifyInstance, context: Context, open: OpenCode): void {
  server.get('/api/v4/projects/:id/repository/tree', async (request, reply) => {
    const { row, reader } = open(request)
    const { path = '' } = request.query as { path?: string }
    const { content } = await reader.read(`${row.defaultBranch}:${path}`)
    const entries = parseTree(content, path)
    const paging = readPaging(request.query)
    const start = (paging.page - 1) * paging.perPage
    const url = `${context.externalUrl}/api/v4/projects/${row.id}/repository/tree`
    setPageHeaders(reply, url, paging, entries.length, `path=${encodeURIComponent(path)}&`)
    return sendJson(request, reply, entries.slice(start, start + paging.perPage))
  })
}

function parseTree(content: Buffer, folder: string): object[] {
  const entries: object[] = []
  for (let at = 0; at < content.length; ) {
    const space = content.indexOf(32, at)
    const end = content.indexOf(0, space)
    const mode = content.toString('latin1', at, space).padStart(6, '0')
    const name = content.toString('utf8', space + 1, end)
    const id = content.toString('hex', end + 1, end + 21)
    const type = mode === '040000' ? 'tree' : mode === '160000' ? 'commit' : 'blob'
    entries.push({ id, name, type, path: folder === '' ? name : `${folder}/${name}`, mode })
    at = end + 21
  }
  return entries
}

/** A file with its content. */
export function registerFile(server: FastifyInstance, open: OpenCode): void {
  const lastCommits = new Map<string, string>()
  server.get('/api/v4/projects/:id/repository/files/:file_path', async (request, reply) => {
    const { path, reader } = open(request)
    const { file_path: file } = request.params as { file_path: string }
    const { ref = '' } = request.query as { ref?: string }
    const [tip, blob] = await Promise.all([reader.resolve(ref), reader.read(`${ref}:${file}`)])
    const key = `${path} ${tip} ${file}`
    const args = ['--git-dir', path, 'rev-list', '-1', tip, '--', file]
    const last = lastCommits.get(key) ?? execFileSync('git', args, { encoding: 'utf8' }).trim()
    lastCommits.set(key, last)
    const fields = {
      file_name: basename(file),
      file_path: file,
      size: blob.size,
      encoding: 'base64',
      content_sha256: hash('sha256', blob.content),
      ref,
      blob_id: blob.oid,
      commit_id: tip,
      last_commit_id: last,
    }
    setFileHeaders(reply, fields)
    return sendJson(request, reply, { ...fields, content: blob.content.toString('base64') })
  })
}

interface Heads {
  version: string
  names: { name: string; oid: string }[]
  merged: ReadonlySet<string>
}

/** A page of branches. */
export function registerBranches(server: FastifyInstance, context: Context, open: OpenCode): void {
  const { db, externalUrl } = context
  const cache = new Map<string, Heads>()
  const protections = db.prepare(
    `select r.name, l.action, l."accessLevel" from "protectedRefs" r
     left join "protectedRefLevels" l on l."protectedRefId" = r.id where r."projectId" = +?`,
  )
  server.get('/api/v4/projects/:id/repository/branches', async (request, reply) => {
    const code = open(request)
    const { row, level, reader } = code
    const heads = readHeads(code, cache)
    const guarded = protections.all(row.id).length > 0
    const paging = readPaging(request.query)
    const start = (paging.page - 1) * paging.perPage
    const page = heads.names.slice(start, start + paging.perPage)
    const objects = await Promise.all(page.map(({ oid }) => reader.read(oid)))
    const url = `${externalUrl}/api/v4/projects/${row.id}/repository/branches`
    setPageHeaders(reply, url, paging, heads.names.length)
    const body = page.map(({ name, oid }, index) => ({
      name,
      merged: heads.merged.has(name),
      protected: guarded,
      default: name === row.defaultBranch,
      developers_can_push: false,
      developers_can_merge: false,
      can_push: level >= 30,
      commit: commitOf(oid, objects[index]?.content ?? Buffer.alloc(0)),
    }))
    return sendJson(request, reply, body)
  })
}

/** The branches and which of them are merged, read again when their files have changed. */
function readHeads({ row, path }: Code, cache: Map<string, Heads>): Heads {
  const version = ['packed-refs', 'refs/heads', 'refs']
    .map((name) => statSync(join(path, name), { throwIfNoEntry: false })?.mtimeMs)
    .join(' ')
  const cached = cache.get(path)
  if (cached?.version === version) return cached
  const git = (...args: string[]) =>
    execFileSync('git', ['--git-dir', path, ...args], { encoding: 'utf8' })
      .split('\n')
      .slice(0, -1)
  const names = git('for-each-ref', '--format=%(objectname) %(refname:short)', 'refs/heads').map(
    (line) => ({ oid: line.slice(0, 40), name: line.slice(41) }),
  )
  const head = names.find(({ name }) => name === row.defaultBranch)
  const merged = new Set(
    git('for-each-ref', `--merged=${head?.oid}`, '--format=%(refname:short)', 'refs/heads'),
  )
  for (const { name, oid } of names) if (oid === head?.oid) merged.delete(name)
  const heads = { version, names, merged }
  cache.set(path, heads)
  return heads
}
