import { initialSettings, settingAliases, settingNames, settings } from '@stithy/core'
import type { FastifyInstance } from 'fastify'
import { sendJson } from './answer.ts'
import { createAuthenticate } from './authenticate.ts'
import type { Context } from './context.ts'

interface SettingRow {
  key: string
  value: string
  updatedAt: number
}

/** `GET /application/settings`, read anew when their version has changed. */
export function registerSettings(server: FastifyInstance, context: Context): void {
  const { db } = context
  const authenticate = createAuthenticate(context)
  const isAdmin = db.prepare<[number], 0 | 1>('select admin from users where id = +?').pluck()
  const version = db
    .prepare<[], number>("select value from counters where name = 'settings.version'")
    .pluck()
  const all = db.prepare<[], SettingRow>('select key, value, "updatedAt" from settings')
  const created = db.prepare<[], number>('select min("appliedAt") from schema_migrations').pluck()
  let known: { version: number | undefined; body: object } | undefined
  const read = () => {
    const rows = all.all()
    const createdAt = created.get() ?? 0
    const updatedAt = rows.reduce((latest, row) => Math.max(latest, row.updatedAt), createdAt)
    const values: Record<string, unknown> = { ...initialSettings }
    for (const { key, value } of rows) values[key] = JSON.parse(value)
    for (const name of settingNames) {
      if ('secret' in settings[name] && values[name] !== null) values[name] = '********'
    }
    for (const [alias, name] of Object.entries(settingAliases)) values[alias] = values[name]
    return {
      id: 1,
      created_at: new Date(createdAt).toISOString(),
      updated_at: new Date(updatedAt).toISOString(),
      ...values,
    }
  }
  server.get('/api/v4/application/settings', (request, reply) => {
    const { id } = authenticate(request)
    if (isAdmin.get(id) !== 1) throw new Error('forbidden')
    const current = version.get()
    if (known === undefined || known.version !== current) known = { version: current, body: read() }
    return sendJson(request, reply, known.body)
  })
}
