import type { Transaction } from '@stithy/store'
import { changeByCaller } from '../../platform/changes/change-by-caller.ts'
import { recordChange } from '../../platform/changes/record-change.ts'

/** Which protection a user changed, and how. */
interface ProtectionChange {
  projectId: number
  refKind: 'branch' | 'tag'
  name: string
  action: 'add' | 'change' | 'remove'
}

/** Records what a user did to the protection of branches or tags. */
export function recordProtection(
  tx: Transaction,
  change: ProtectionChange,
  now: number,
): Promise<void> {
  return recordChange(tx, { kind: 'ref_protection.changed', ...changeByCaller(now), ...change })
}
