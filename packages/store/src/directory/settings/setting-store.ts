import { type SettingName, type Settings, settingOf } from '@stithy/core'
import { addToCounter, readCounters } from '../../platform/jobs/counter-store.ts'
import type { Queries, Transaction } from '../../platform/queries/queries.ts'
import { fromJsonText } from '../../platform/queries/sql.ts'

/** An instance setting that was set at least once. */
export interface SettingRow {
  key: string
  /** JSON; a text that is encrypted if the setting is a secret. */
  value: string
  updatedAt: number
}

/** What is stored of the instance settings. */
export interface StoredSettings {
  /** Raised by every change. */
  version: number
  rows: readonly SettingRow[]
}

/** The counter whose value is the version of the settings. */
const versionName = 'settings.version'

/** The version of the settings; 0 before the first change. One look-up by primary key. */
export async function findSettingsVersion(q: Queries): Promise<number> {
  return (await readCounters(q, [versionName]))[versionName]
}

/** All settings, at least as new as the version that comes with them. Two queries. */
export async function readSettings(q: Queries): Promise<StoredSettings> {
  const version = await findSettingsVersion(q)
  const rows = await q.all('settings.all', {}, (db) =>
    db.selectFrom('settings').select(['key', 'value', 'updatedAt']).orderBy('key'),
  )
  return { version, rows }
}

/**
 * One setting as the transaction of a change sees it, for its effects, which know of no server.
 * Everything else reads `app.settings`.
 */
export async function findSetting<Name extends SettingName>(
  q: Queries,
  key: Name,
): Promise<Settings[Name]> {
  const row = await q.first('settings.find', { key }, (db, $) =>
    db.selectFrom('settings').select('value').where('key', '=', $('key')),
  )
  const { initial, schema } = settingOf(key)
  const parsed = row === undefined ? undefined : schema.safeParse(fromJsonText(row.value))
  return (parsed?.success ? parsed.data : initial) as Settings[Name]
}

/**
 * Raises the version of the settings. On PostgreSQL others who do wait until the end of the
 * transaction, so that what it reads next stays as it is.
 */
export async function raiseSettingsVersion(tx: Transaction): Promise<void> {
  await addToCounter(tx, versionName, 1)
}

/** Sets or replaces a setting. */
export async function writeSetting(tx: Transaction, row: SettingRow): Promise<void> {
  await tx.run('settings.write', row, (db, $) =>
    db
      .insertInto('settings')
      .values({ key: $('key'), value: $('value'), updatedAt: $('updatedAt') })
      .onConflict((conflict) =>
        conflict.column('key').doUpdateSet({ value: $('value'), updatedAt: $('updatedAt') }),
      ),
  )
}

/** When the database was created, in milliseconds since the epoch. */
export async function findInstanceCreation(q: Queries): Promise<number> {
  const row = await q.first('settings.created-at', {}, (db) =>
    db.selectFrom('schema_migrations').select('appliedAt').orderBy('appliedAt').limit(1),
  )
  return row?.appliedAt ?? 0
}
