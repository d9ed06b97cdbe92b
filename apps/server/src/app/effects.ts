import { recordAuditEvents } from '../activity/audit-events/audit-effects.ts'
import type { EffectTable } from '../platform/changes/record-change.ts'
import { codeEffects } from './effects/code-effects.ts'
import { directoryEffects } from './effects/directory-effects.ts'
import { planningEffects } from './effects/planning-effects.ts'
import { reviewEffects } from './effects/review-effects.ts'

/** Everything that follows from each kind of change, in order, inside its transaction. */
export const effects: EffectTable = {
  ...directoryEffects,
  ...codeEffects,
  ...planningEffects,
  ...reviewEffects,
  'webhook.changed': [recordAuditEvents],
}
