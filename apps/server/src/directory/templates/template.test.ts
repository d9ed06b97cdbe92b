import { type TemplateType, templateTypes } from '@stithy/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'
import { licenseDetails } from './license-details.ts'
import { templateFiles } from './template-files.ts'

let server: TestServer
beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())

const get = (path: string, as?: { token: string }) =>
  server.inject('GET', path, as === undefined ? {} : { token: as.token })

describe('the templates', () => {
  it.each(templateTypes)('of %s have a text that ends in one line feed', async (type) => {
    const files = await templateFiles(type)
    expect(files.length).toBeGreaterThan(5)
    for (const { key, content } of files) {
      expect(key).toMatch(/^[\w.+-]+$/)
      expect(content).toMatch(/[^\n]\n$/)
      expect(content).not.toMatch(/[ \t]$/m)
    }
  })

  it('have the keys that clients look for', async () => {
    const keysOf = async (type: TemplateType) => (await templateFiles(type)).map(({ key }) => key)
    const alpine = ['Binary', 'Golang', 'HTTPd', 'Node', 'OpenJDK', 'PHP', 'Python', 'Ruby']
    const both = alpine.flatMap((key) => [key, `${key}-alpine`])
    expect(await keysOf('dockerfiles')).toEqual(expect.arrayContaining(both))
    const languages = 'Actionscript Ada Android C C++ Go Java Node Python Ruby Rust'.split(' ')
    expect(await keysOf('gitignores')).toEqual(expect.arrayContaining(languages))
    const builds = 'Android Bash C++ Docker Go Gradle Maven Nodejs Python Ruby Rust'.split(' ')
    expect(await keysOf('service_ci_ymls')).toEqual(expect.arrayContaining(builds))
  })

  it('of licenses have details, and the other way round', async () => {
    const files = await templateFiles('licenses')
    expect(files.map(({ key }) => key)).toEqual(Object.keys(licenseDetails))
  })
})

describe('GET /templates/dockerfiles and /templates/gitignores', () => {
  it('list by name, in pages, without a token', async () => {
    for (const type of ['dockerfiles', 'gitignores']) {
      const { status, body, headers } = await get(`/templates/${type}?per_page=3`)
      expect([status, body.length]).toEqual([200, 3])
      expect(Number(headers['x-total'])).toBeGreaterThan(3)
      const names = body.map((template: Json) => template.name)
      expect(names).toEqual(names.toSorted())
      for (const template of body) expect(template.key).toBe(template.name)
    }
  })

  it('show one by its key, and 404 for any other', async () => {
    const shown = await get('/templates/gitignores/C%2B%2B')
    expect(shown.body).toEqual({ name: 'C++', content: expect.stringContaining('*.o\n') })
    expect((await get('/templates/dockerfiles/Node')).body.content).toMatch(/^FROM node:/)
    for (const key of ['Nothing', '..%2Fgitignores%2FNode', 'Node.Dockerfile', '__proto__']) {
      const { status, body } = await get(`/templates/dockerfiles/${key}`)
      expect([status, body]).toEqual([404, { message: '404 Template Not Found' }])
    }
  })
})

describe('GET /templates/service_ci_ymls', () => {
  it('lists and shows, under the path of existing clients as well', async () => {
    const { root } = server
    const { body } = await get('/templates/service_ci_ymls?per_page=100', root)
    expect(body).toContainEqual({ key: 'Go', name: 'Go' })
    expect((await get('/templates/gitlab_ci_ymls?per_page=100', root)).body).toEqual(body)
    const shown = await get('/templates/service_ci_ymls/Go', root)
    expect(shown.body).toEqual({ name: 'Go', content: expect.stringContaining('go test') })
    expect((await get('/templates/gitlab_ci_ymls/Go', root)).body).toEqual(shown.body)
    expect((await get('/templates/service_ci_ymls/No', root)).status).toBe(404)
  })

  it('returns 401 without a token', async () => {
    expect((await get('/templates/service_ci_ymls')).status).toBe(401)
    expect((await get('/templates/service_ci_ymls/Go')).status).toBe(401)
  })
})

describe('GET /templates/licenses', () => {
  it('lists whole licenses with their placeholders, all or only popular ones', async () => {
    const { body } = await get('/templates/licenses')
    const mit = body.find((license: Json) => license.key === 'mit')
    expect(mit).toEqual({
      key: 'mit',
      name: 'MIT License',
      nickname: null,
      popular: true,
      featured: true,
      html_url: 'https://choosealicense.com/licenses/mit/',
      source_url: 'https://spdx.org/licenses/MIT.html',
      description: expect.any(String),
      conditions: ['include-copyright'],
      permissions: ['commercial-use', 'modifications', 'distribution', 'private-use'],
      limitations: ['liability', 'warranty'],
      content: expect.stringMatching(/^MIT License\n\nCopyright \(c\) \[year\] \[fullname\]\n/),
    })
    expect((await get('/templates/Licenses')).body).toEqual(body)
    const popular = await get('/templates/licenses?popular=true')
    expect(popular.body.map((license: Json) => license.key)).toEqual([
      'apache-2.0',
      'gpl-3.0',
      'mit',
    ])
    expect((await get('/templates/licenses?popular=false')).headers['x-total']).toBe('12')
  })
})

describe('GET /templates/licenses/:key', () => {
  const year = () => new Date(server.app.now()).getUTCFullYear()

  it('fills in the year, and what is sent', async () => {
    const plain = await get('/templates/licenses/mit')
    expect(plain.body.content).toContain(`Copyright (c) ${year()} [fullname]\n`)
    const query = 'fullname=A%20B&project=The%20Forge'
    const { body } = await get(`/templates/licenses/gpl-3.0?${query}`)
    expect(body.content).toContain(`The Forge  Copyright (C) ${year()}  A B\n`)
  })

  it('fills in the name of the caller', async () => {
    const user = await server.buildUser()
    const { body } = await get('/templates/licenses/apache-2.0', user)
    expect(body.content).toContain(`Copyright ${year()} ${user.name}\n`)
  })

  it('returns 404 for an unknown license, and 400 for a name that is too long', async () => {
    const unknown = await get('/templates/licenses/unknown')
    expect([unknown.status, unknown.body]).toEqual([404, { message: '404 License Not Found' }])
    const long = await get(`/templates/licenses/mit?fullname=${'x'.repeat(2000)}`)
    expect(long.status).toBe(400)
  })
})

describe('GET /projects/:id/templates/:type', () => {
  it('lists and shows each type to everyone who may read the project', async () => {
    const project = await server.buildProject({ visibility: 'public' })
    const path = `/projects/${project.id}/templates`
    for (const type of templateTypes) {
      const { status, body } = await get(`${path}/${type}?per_page=100`)
      expect([status, body.length]).toEqual([200, (await templateFiles(type)).length])
    }
    const names = (await get(`${path}/licenses`)).body
    expect(names).toContainEqual({ key: 'mit', name: 'MIT License' })
    expect((await get(`${path}/gitlab_ci_ymls/Go`)).body).toMatchObject({ name: 'Go' })
    expect((await get(`${path}/gitignores/Nothing`)).status).toBe(404)
    const hidden = await server.buildProject()
    const user = await server.buildUser()
    expect((await get(`/projects/${hidden.id}/templates/licenses`, user)).status).toBe(404)
  })

  it('fills a license in with the names of the project and of the caller', async () => {
    const project = await server.buildProject({ name: 'The Forge', visibility: 'public' })
    const user = await server.buildUser()
    const path = `/projects/${project.id}/templates/licenses`
    const { body } = await get(`${path}/gpl-3.0`, user)
    expect(body).toMatchObject({ key: 'gpl-3.0', nickname: 'GNU GPLv3' })
    expect(body.content).toMatch(
      new RegExp(`The Forge {2}Copyright \\(C\\) \\d{4} {2}${user.name}`),
    )
    const sent = await get(`${path}/mit?fullname=Someone`, user)
    expect(sent.body.content).toMatch(/Copyright \(c\) \d{4} Someone\n/)
  })

  it('returns 400 for an unknown type', async () => {
    const project = await server.buildProject({ visibility: 'public' })
    const { status, body } = await get(`/projects/${project.id}/templates/issues`)
    expect([status, body]).toEqual([400, { error: 'type does not have a valid value' }])
  })
})
