import { Gitlab } from '@gitbeaker/rest'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildCertificate } from '../src/testing/certificate.ts'
import {
  buildFinding,
  buildReport,
  buildScannedProject,
  sendReport,
} from '../src/testing/fixtures/security-reports.ts'
import { buildTestServer, type TestServer } from '../src/testing/test-server.ts'

let server: TestServer
let root: InstanceType<typeof Gitlab>

beforeAll(async () => {
  server = await buildTestServer()
  root = new Gitlab({ host: await server.url(), token: server.root.token })
})
afterAll(() => server.close())

describe('pages domains with the unmodified @gitbeaker/rest', () => {
  it('are created, listed, shown, edited and removed', async () => {
    const project = await server.buildProject()
    const { cert: certificate, key } = buildCertificate('a.example')
    const made = await root.PagesDomains.create(project.id, 'a.example', { certificate, key })
    expect(made).toMatchObject({ domain: 'a.example', url: 'https://a.example' })
    expect(made.certificate).toMatchObject({ certificate, expired: false })
    expect(await root.PagesDomains.all({ projectId: project.id })).toEqual([made])
    expect(await root.PagesDomains.show(project.id, 'a.example')).toEqual(made)
    expect(await root.PagesDomains.all()).toMatchObject([
      { domain: 'a.example', project_id: project.id, certificate: { expired: false } },
    ])
    const plain = await root.PagesDomains.edit(project.id, 'a.example', {
      certificate: '',
      key: '',
    })
    expect(plain).toMatchObject({ url: 'http://a.example' })
    await root.PagesDomains.remove(project.id, 'a.example')
    expect(await root.PagesDomains.all({ projectId: project.id })).toEqual([])
  })
})

describe('vulnerabilities with the unmodified @gitbeaker/rest', () => {
  it('are listed with filters and pages', async () => {
    const { id } = await buildScannedProject(server)
    const findings = Array.from({ length: 45 }, (_, number) => buildFinding(number))
    await sendReport(server, id, buildReport([...findings, buildFinding(99, { severity: 'Low' })]))
    const all = await root.ProjectVulnerabilities.all(id, { perPage: 20 })
    expect(all).toHaveLength(46)
    expect(all.at(-1)).toMatchObject({ id: null, name: 'Finding 99', severity: 'low' })
    const filter = { severity: ['low', 'info'], reportType: ['sast'], scope: 'all' } as object
    expect(await root.ProjectVulnerabilities.all(id, filter)).toEqual(all.slice(-1))
  })
})
