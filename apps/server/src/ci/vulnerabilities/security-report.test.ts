import { createHash } from 'node:crypto'
import { findOrphans, findWrongCounts } from '@stithy/store/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  buildFinding,
  buildReport,
  buildScanFixture,
  type ScanFixture,
  sendReport,
} from '../../testing/fixtures/security-reports.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

/**
 * Covered: who may send a report and how; formats (object, older list); what is required of a finding;
 * fingerprints; remediations; replacement per type and ref, resolution, and that nothing of an invalid
 * report is stored; concurrent reports; archived projects; the deletion of the project.
 */

let server: TestServer
let fixture: ScanFixture

beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  fixture = await buildScanFixture(server)
})

const send: ScanFixture['send'] = (...args) => fixture.send(...args)
const list: ScanFixture['list'] = (...args) => fixture.list(...args)
const names = async (query = '') => (await list(query)).map(({ name }) => name).toSorted()

const rows = () =>
  server.app.db.all('test.vulnerabilities', { id: fixture.project.id as number }, (db, $) =>
    db
      .selectFrom('vulnerabilities')
      .innerJoin('securityReports as report', 'report.id', 'vulnerabilities.reportId')
      .where('vulnerabilities.projectId', '=', $('id'))
      .select(['name', 'state', 'resolvedAt'])
      .orderBy('vulnerabilities.id'),
  )

/** Nothing refers to what isn't there, and the counts are those of the rows. */
async function expectConsistent() {
  await server.runJobs()
  expect(await findOrphans(server.app.db)).toEqual([])
  expect(await findWrongCounts(server.app.db)).toEqual([])
}

describe('POST /projects/:id/vulnerabilities/reports', () => {
  it('stores a report that is the body, for the tip of the default branch', async () => {
    const { status, body } = await send(buildReport([buildFinding(1), buildFinding(2)]))
    expect([status, body]).toEqual([
      201,
      {
        id: expect.any(Number),
        report_type: 'sast',
        ref: 'main',
        sha: fixture.commit,
        vulnerabilities_count: 2,
        created_at: expect.any(String),
      },
    ])
    expect(await names()).toEqual(['Finding 1', 'Finding 2'])
    await expectConsistent()
  })

  it('answers 415 to a compressed body, as other calls do', async () => {
    const path = `/projects/${fixture.project.id}/vulnerabilities/reports?report_type=sast`
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
    const bytes = Buffer.from('[]')
    const sent = await server.inject('POST', path, { token: server.root.token, bytes, headers })
    expect(sent.status).toBe(415)
  })

  it('stores one that is a file of a form', async () => {
    const form = new FormData()
    form.set('report_type', 'dast')
    form.set('ref', 'refs/heads/main')
    form.set('file', new File([JSON.stringify(buildReport([buildFinding(1)]))], 'report.json'))
    const url = `${await server.url()}/api/v4/projects/${fixture.project.id}/vulnerabilities/reports`
    const headers = { 'private-token': server.root.token }
    const response = await fetch(url, { method: 'POST', body: form, headers })
    expect(response.status).toBe(201)
    expect(await response.json()).toMatchObject({ report_type: 'dast', ref: 'main' })
    expect((await list())[0]).toMatchObject({ report_type: 'dast', name: 'Finding 1' })
  })

  it('stores the list of older versions, and one without vulnerabilities', async () => {
    expect((await send([buildFinding(3)])).status).toBe(201)
    expect(await names()).toEqual(['Finding 3'])
    expect((await send({ vulnerabilities: [] })).body.vulnerabilities_count).toBe(0)
    expect(await names()).toEqual([])
    expect((await send('[]')).status).toBe(201)
  })

  it('replaces the report of its type and ref; what is gone is kept as resolved', async () => {
    await send(buildReport([buildFinding(1), buildFinding(2)]))
    await send(buildReport([buildFinding(9)]), { type: 'dast' })
    await send(buildReport([buildFinding(7)]), { query: `&ref=other&sha=${fixture.commit}` })
    await send(buildReport([buildFinding(2, { name: 'Renamed' }), buildFinding(3)]))
    expect(await names()).toEqual(['Finding 3', 'Finding 9', 'Renamed'])
    expect(await names('&ref=other')).toEqual(['Finding 7'])
    await expectConsistent()
    const stored = await rows()
    expect(stored.filter(({ resolvedAt }) => resolvedAt !== null)).toEqual([
      { name: 'Finding 1', state: 'replaced', resolvedAt: expect.any(Number) },
    ])
    expect(stored.map(({ name }) => name).toSorted()).toEqual([
      'Finding 1',
      'Finding 3',
      'Finding 7',
      'Finding 9',
      'Renamed',
    ])
  })

  it('lists what was resolved and is found again once', async () => {
    for (const found of [[1, 2], [2], [1, 2]]) {
      await send(buildReport(found.map((number) => buildFinding(number))))
      await server.runJobs()
    }
    expect(await names()).toEqual(['Finding 1', 'Finding 2'])
    expect(await rows()).toHaveLength(2)
    await expectConsistent()
  })

  it('keeps one of several reports that arrive at once', async () => {
    const reports = [1, 2, 3, 4].map((number) =>
      send(buildReport([buildFinding(number), buildFinding(number * 11)])),
    )
    expect((await Promise.all(reports)).map(({ status }) => status)).toEqual([201, 201, 201, 201])
    const [one = '', other = ''] = await names()
    expect(other).toBe(`Finding ${Number(one.slice(8)) * 11}`)
    expect(await names()).toHaveLength(2)
    await expectConsistent()
  })

  it('reads files of several parts', async () => {
    const findings = Array.from({ length: 3000 }, (_, index) => buildFinding(index))
    const { body } = await send(buildReport(findings))
    expect(body.vulnerabilities_count).toBe(3000)
    const { headers } = await fixture.call('GET', '/vulnerabilities?severity=high')
    expect(headers['x-total']).toBe('3000')
    await expectConsistent()
  })

  it('takes equal fingerprints for one finding, and makes them of cve or of where it is', async () => {
    const [same, without] = [buildFinding(1), buildFinding(2, { cve: undefined })]
    await send(buildReport([same, { ...same, name: 'Again' }, without, { ...without }]))
    const found = await list()
    expect(found.map(({ name }) => name).toSorted()).toEqual(['Finding 1', 'Finding 2'])
    const hash = createHash('sha1').update(same.cve).digest('hex')
    expect(found.map((each) => each.project_fingerprint)).toContain(hash)
    for (const each of found) expect(each.project_fingerprint).toMatch(/^[0-9a-f]{40}$/)
  })

  it('keeps what has the cve of another finding and is elsewhere, each with its fingerprint', async () => {
    const cve = '10202'
    const at = (path: string) => ({ hostname: 'https://app.example', path, method: 'GET' })
    const [one, two] = ['/one', '/two'].map((path) => buildFinding(1, { cve, location: at(path) }))
    await send(buildReport([one, two, { ...two, name: 'Again' }]), { type: 'dast' })
    const fingerprints = async () => (await list()).map((each) => each.project_fingerprint)
    const before = await fingerprints()
    expect(new Set(before).size).toBe(2)
    await send(buildReport([one, two]), { type: 'dast' })
    expect(await fingerprints()).toEqual(before)
  })

  it('shows no path of what leaves the repository', async () => {
    const location = { file: '../../etc/passwd', start_line: 1 }
    await send(buildReport([buildFinding(1, { location })]))
    expect(await list()).toMatchObject([{ blob_path: null }])
  })

  it('takes the solution of a remediation, before or after its finding', async () => {
    const remediations = [
      { fixes: [{ cve: 'app.js:1:rule' }, { cve: 'app.js:2:rule' }], summary: 'Upgrade it' },
    ]
    const findings = [buildFinding(1), buildFinding(2, { solution: 'Remove it' })]
    await send({ remediations, vulnerabilities: findings })
    const solutions = async () =>
      Object.fromEntries((await list()).map(({ name, solution }) => [name, solution]))
    expect(await solutions()).toEqual({ 'Finding 1': 'Upgrade it', 'Finding 2': 'Remove it' })
    await send(buildReport([buildFinding(5)], { remediations }))
    expect(await solutions()).toEqual({ 'Finding 5': null })
  })

  const notReport = 'is not JSON with a list of vulnerabilities, or has a value that is too large'
  it.each<[string, Json, string]>([
    ['no JSON', 'nonsense', notReport],
    ['a report that is cut off', '{"vulnerabilities":[{"name":"x"', notReport],
    ['a text', '"vulnerabilities"', notReport],
    ['no list', { version: '2.0' }, notReport],
    ['a number for the list', { vulnerabilities: 3 }, notReport],
    ['an object for the list', { vulnerabilities: { a: buildFinding(1) } }, notReport],
    [
      'a number in the list',
      buildReport([buildFinding(1), 7]),
      'vulnerabilities[1] is not an object',
    ],
    [
      'no name',
      buildReport([buildFinding(1), buildFinding(2, { name: '', message: null, identifiers: [] })]),
      'vulnerabilities[1] has no name',
    ],
    [
      'nothing for a fingerprint',
      buildReport([buildFinding(1, { cve: ' ', identifiers: [] })]),
      'vulnerabilities[0] has neither a cve nor identifiers',
    ],
    [
      'no scanner',
      buildReport([buildFinding(1), buildFinding(2, { scanner: {} })]),
      'vulnerabilities[1] has no scanner',
    ],
    [
      'a long description',
      buildReport([buildFinding(1, { description: 'x'.repeat(20_001) })]),
      'vulnerabilities[0] has an invalid description',
    ],
    [
      'a NUL',
      buildReport([buildFinding(1, { solution: 'a\0b' })]),
      'vulnerabilities[0] has an invalid solution',
    ],
    ['a remediation', { vulnerabilities: [], remediations: [3] }, 'remediations[0] is invalid'],
  ])('answers 400 to %s, and stores nothing', async (_, report, text) => {
    await send(buildReport([buildFinding(8)]))
    const { status, body } = await send(report)
    expect([status, body]).toEqual([400, { message: { file: [text] } }])
    expect(await names()).toEqual(['Finding 8'])
    await server.runJobs()
    expect(await rows()).toHaveLength(1)
    await expectConsistent()
  })

  it.each([
    ['', { error: 'report_type is missing' }],
    ['?report_type=license', { error: 'report_type does not have a valid value' }],
    ['?report_type=sast&ref=none', { message: { ref: ['does not exist'] } }],
    ['?report_type=sast&ref=a..b', { message: { ref: ['is invalid'] } }],
    ['?report_type=sast&sha=abc', { message: { sha: ['does not exist'] } }],
  ])('answers 400 to the query %j', async (query, message) => {
    const answer = await server.inject(
      'POST',
      `/projects/${fixture.project.id}/vulnerabilities/reports${query}`,
      {
        token: server.root.token,
        bytes: Buffer.from('[]'),
        headers: { 'content-type': 'application/json' },
      },
    )
    expect([answer.status, answer.body]).toEqual([400, message])
  })

  it('answers 400 without a file, and for an empty repository without a ref', async () => {
    const path = `/projects/${fixture.project.id}/vulnerabilities/reports`
    const empty = { bytes: Buffer.alloc(0), headers: { 'content-type': 'application/json' } }
    for (const body of [{}, empty]) {
      const post = (query: string) =>
        server.inject('POST', path + query, { token: server.root.token, ...body })
      const [missing, both] = [await post('?report_type=sast'), await post('')]
      expect([missing.status, missing.body]).toEqual([400, { error: 'file is missing' }])
      const error = 'file is missing, report_type is missing'
      expect([both.status, both.body]).toEqual([400, { error }])
    }
    const { body } = await sendReport(server, (await server.buildProject()).id, [])
    expect(body).toEqual({ message: { ref: ['is missing: the repository is empty'] } })
  })

  it('answers 403 below Developer and in archived projects, and 404 for hidden ones', async () => {
    const [reporter, stranger] = [await server.buildUser(), await server.buildUser()]
    await server.addMember(`projects/${fixture.project.id}`, reporter.id, 20)
    expect((await send([], { token: reporter.token })).status).toBe(403)
    expect((await send([], { token: stranger.token })).status).toBe(404)
    await server.inject('POST', `/projects/${fixture.project.id}/archive`, {
      token: server.root.token,
    })
    expect((await send([])).status).toBe(403)
  })

  it('has its rows removed with the project', async () => {
    await send(buildReport([buildFinding(1)]))
    const [found] = await list()
    const path = `/projects/${fixture.project.id}/vulnerabilities/${found.project_fingerprint}/dismiss`
    await server.inject('POST', path, { token: server.root.token })
    await server.inject('DELETE', `/projects/${fixture.project.id}`, { token: server.root.token })
    await expectConsistent()
    expect(await rows()).toEqual([])
  })
})
