import { openAsBlob } from 'node:fs'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type ReportType, reportLimits } from '@stithy/core'
import { findOrphans, findWrongCounts } from '@stithy/store/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { actingUser } from '../../directory/authentication/acting-user.ts'
import { requireProject } from '../../directory/projects/project-subject.ts'
import { requestLimitTable } from '../../platform/config/request-limits.ts'
import {
  buildFinding,
  buildReport,
  buildScanFixture,
  type ScanFixture,
} from '../../testing/fixtures/security-reports.ts'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'
import { storeReport } from './security-report.service.ts'

/**
 * Covered: the size of a report, as a body and as a file of a form; how many wait for the one that is
 * read; what an interrupted one leaves. How many vulnerabilities it may have: `report-reader.test.ts`.
 */

let server: TestServer
let fixture: ScanFixture
let folder: string

beforeAll(async () => {
  server = await buildTestServer()
  folder = await mkdtemp(join(tmpdir(), 'stithy-report-'))
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true })
})
beforeEach(async () => {
  fixture = await buildScanFixture(server)
})

const path = () => `/api/v4/projects/${fixture.project.id}/vulnerabilities/reports?report_type=sast`
const names = async () => (await fixture.list()).map(({ name }) => name).toSorted()

describe('the size of a security report', () => {
  /** Announces a body of so many bytes, and sends two. */
  async function announce(bytes: number): Promise<Socket> {
    const { hostname, port } = new URL(await server.url())
    const socket = connect(Number(port), hostname)
    socket.write(
      [
        `POST ${path()} HTTP/1.1`,
        ...[`Host: ${hostname}`, 'Connection: close', `Private-Token: ${server.root.token}`],
        ...['Content-Type: application/json', `Content-Length: ${bytes}`, '', '[]'],
      ].join('\r\n'),
    )
    return socket
  }

  it('is refused with 413 as soon as a longer body is announced', async () => {
    const socket = await announce(reportLimits.bytes + 1)
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 413 /)
  })

  it('is not refused before that, and a body that is broken off does no harm', async () => {
    const socket = await announce(reportLimits.bytes)
    socket.end()
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 /)
    expect((await fixture.send(buildReport([]))).status).toBe(201)
  })

  it('is refused with 413 for a longer file of a form', async () => {
    const file = join(folder, 'long.json')
    const handle = await open(file, 'w')
    await handle.truncate(reportLimits.bytes + 1)
    await handle.close()
    const form = new FormData()
    form.set('file', await openAsBlob(file), 'long.json')
    const headers = { 'private-token': server.root.token }
    const answer = await fetch(`${await server.url()}${path()}`, {
      ...{ method: 'POST', body: form, headers },
    })
    expect(answer.status).toBe(413)
    await answer.body?.cancel()
  })
})

/** A file whose second half, beyond what is read at a time, arrives when it is released. */
class SlowFile extends File {
  readonly reached = Promise.withResolvers<void>()
  readonly released = Promise.withResolvers<void>()

  override slice(start = 0, end?: number): Blob {
    const part = super.slice(start, end)
    if (start === 0) return part
    part.bytes = async () => {
      this.reached.resolve()
      await this.released.promise
      return new Uint8Array(await part.arrayBuffer())
    }
    return part
  }
}

function slowFile(): SlowFile {
  const findings = Array.from({ length: 1000 }, (_, index) => buildFinding(index + 100))
  return new SlowFile([JSON.stringify(buildReport(findings))], 'report.json')
}

/** Stores a report without HTTP. */
async function store(file: File, type: ReportType = 'sast') {
  const caller = await actingUser(server.app, server.root.id)
  if (caller === undefined) throw new Error('root cannot act')
  const { row } = await requireProject(server.app, String(fixture.project.id), caller)
  const never = new AbortController()
  return storeReport(server.app, row, { file, report_type: type }, never.signal)
}

describe('a report that takes long', () => {
  it('has others wait, of each project a quarter of all, and more are refused with 429', async () => {
    const file = slowFile()
    const reading = store(file)
    await file.reached.promise
    const most = requestLimitTable.securityReport.waiting.value / 4
    const sent = Array.from({ length: most + 1 }, (_, index) =>
      fixture.send(buildReport([buildFinding(index)]), { type: 'dast' }),
    )
    const refused = await Promise.race(sent)
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, expect.any(String)])
    file.released.resolve()
    await reading
    const statuses = (await Promise.all(sent)).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([...Array.from({ length: most }, () => 201), 429])
  })

  it('leaves nothing that is listed if it is interrupted, and nothing at all after an hour', async () => {
    await fixture.send(buildReport([buildFinding(1)]))
    const file = slowFile()
    const interrupted = store(file).catch((error: unknown) => error)
    await file.reached.promise
    expect(await names()).toEqual(['Finding 1'])
    const stored = () =>
      server.app.db.all('test.stored', { id: fixture.project.id as number }, (db, $) =>
        db.selectFrom('vulnerabilities').where('projectId', '=', $('id')).select('id'),
      )
    expect((await stored()).length).toBeGreaterThan(100)
    server.advance(59 * 60_000)
    await server.runJobs()
    expect((await stored()).length).toBeGreaterThan(100)
    server.advance(2 * 60_000)
    await server.runJobs()
    expect(await stored()).toHaveLength(1)
    const { db } = server.app
    expect([...(await findOrphans(db)), ...(await findWrongCounts(db))]).toEqual([])
    // One that goes on after all is refused.
    file.released.resolve()
    expect(await interrupted).toMatchObject({ code: 'conflict' })
    await server.runJobs()
    expect([await names(), (await stored()).length]).toEqual([['Finding 1'], 1])
  })
})
