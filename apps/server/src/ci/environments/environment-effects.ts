import { setEnvironmentState, type Transaction } from '@stithy/store'
import type { Change } from '../../platform/changes/change.ts'

/** Makes a stopped environment available again. */
export async function startEnvironment(
  tx: Transaction,
  { environmentId: id, projectId, now }: Change<'deployment.succeeded'>,
): Promise<void> {
  await setEnvironmentState(tx, { id, projectId, state: 'available', updatedAt: now })
}
