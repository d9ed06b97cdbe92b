import type { SettingName } from '@stithy/core'
import type { TestServer } from './test-server.ts'

/** Changes an instance setting, as administrators do. @throws unless the answer is 200 */
export async function setSetting(
  server: TestServer,
  key: SettingName,
  value: unknown,
): Promise<void> {
  await setSettings(server, { [key]: value })
}

/** Changes instance settings together. @throws unless the answer is 200 */
export async function setSettings(
  server: TestServer,
  body: Partial<Record<SettingName, unknown>>,
): Promise<void> {
  const { token } = server.root
  const answer = await server.inject('PUT', '/application/settings', { token, body })
  if (answer.status !== 200) throw new Error(`PUT settings: ${answer.status} ${answer.text}`)
}
