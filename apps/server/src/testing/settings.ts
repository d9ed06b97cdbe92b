import { jsonText } from '@stithy/store'
import type { TestServer } from './test-server.ts'

/** Changes an application setting, as administrators do. */
export async function setSetting(server: TestServer, key: string, value: unknown): Promise<void> {
  const args = { key, value: jsonText(value) }
  await server.app.db.run('testing.setting', args, (db, $) =>
    db
      .insertInto('settings')
      .values({ key: $('key'), value: $('value') })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: $('value') })),
  )
}
