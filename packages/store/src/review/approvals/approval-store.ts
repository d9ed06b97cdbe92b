import type { Queries, Transaction } from '../../platform/queries/queries.ts'
import { pick } from '../../platform/queries/sql.ts'
import { touchStamp } from '../../platform/queries/stamps.ts'
import type { Row } from '../../platform/schema/schema.ts'

/** How merge requests into a project are approved. */
export type ApprovalSettingsRow = Omit<Row<'projectApprovalSettings'>, 'projectId'>

const defaults: ApprovalSettingsRow = {
  resetApprovalsOnPush: 1,
  disableOverridingApprovers: 0,
  mergeRequestsAuthorApproval: 0,
}

const names = [
  'resetApprovalsOnPush',
  'disableOverridingApprovers',
  'mergeRequestsAuthorApproval',
] as const

/** The settings of a project; by default a push resets approvals, and authors may not approve. */
export async function findApprovalSettings(
  q: Queries,
  projectId: number,
): Promise<ApprovalSettingsRow> {
  const row = await q.first('approvalSettings.find', { projectId }, (db, $) =>
    db.selectFrom('projectApprovalSettings').where('projectId', '=', $('projectId')).select(names),
  )
  return row ?? defaults
}

/** Replaces the settings of a project. */
export async function saveApprovalSettings(
  tx: Transaction,
  projectId: number,
  settings: ApprovalSettingsRow,
): Promise<void> {
  await tx.run('approvalSettings.save', { projectId, ...settings }, (db, $) =>
    db
      .insertInto('projectApprovalSettings')
      .values(pick($, ['projectId', ...names]))
      .onConflict((conflict) => conflict.column('projectId').doUpdateSet(pick($, names))),
  )
}

/** Adds an approval; false if the user has approved already. */
export async function insertApproval(
  tx: Transaction,
  approval: Row<'approvals'>,
): Promise<boolean> {
  const { changes } = await tx.run('approvals.insert', approval, (db, $) =>
    db
      .insertInto('approvals')
      .values(pick($, ['mergeRequestId', 'userId', 'createdAt']))
      .onConflict((conflict) => conflict.columns(['mergeRequestId', 'userId']).doNothing()),
  )
  return changes > 0
}

/** Deletes an approval; false if there is none. */
export async function deleteApproval(
  tx: Transaction,
  approval: { mergeRequestId: number; userId: number },
): Promise<boolean> {
  const { changes } = await tx.run('approvals.delete', approval, (db, $) =>
    db
      .deleteFrom('approvals')
      .where('mergeRequestId', '=', $('mergeRequestId'))
      .where('userId', '=', $('userId')),
  )
  return changes > 0
}

/** Lists the users who have approved a merge request, in the order of approval. */
export async function listApprovals(q: Queries, mergeRequestId: number): Promise<number[]> {
  const rows = await q.all('approvals.list', { mergeRequestId }, (db, $) =>
    db
      .selectFrom('approvals')
      .where('mergeRequestId', '=', $('mergeRequestId'))
      .orderBy('createdAt')
      .orderBy('userId')
      .select('userId'),
  )
  return rows.map(({ userId }) => userId)
}

/** Removes all approvals of a merge request after a push, unless its project keeps them. */
export async function resetApprovals(
  tx: Transaction,
  request: { mergeRequestId: number; projectId: number },
): Promise<void> {
  await tx.run('approvals.reset', request, (db, $) =>
    db
      .deleteFrom('approvals')
      .where('mergeRequestId', '=', $('mergeRequestId'))
      .where((eb) =>
        eb.not(
          eb.exists(
            eb
              .selectFrom('projectApprovalSettings as settings')
              .where('settings.projectId', '=', $('projectId'))
              .where('settings.resetApprovalsOnPush', '=', 0)
              .select('settings.projectId'),
          ),
        ),
      ),
  )
}

/**
 * Deletes up to `limit` approvals of a user who is being deleted, and as many mentions as approver;
 * returns `limit` if there may be more.
 */
export async function removeApprovalsOf(
  tx: Transaction,
  args: { userId: number; limit: number },
): Promise<number> {
  const approvals = await tx.run('approvals.ofUser', args, (db, $) =>
    db
      .deleteFrom('approvals')
      .where('userId', '=', $('userId'))
      .where('mergeRequestId', 'in', (eb) =>
        eb
          .selectFrom('approvals as some')
          .where('some.userId', '=', $('userId'))
          .select('some.mergeRequestId')
          .limit($('limit')),
      ),
  )
  const listings = await tx.run('approvalRules.ofUser', args, (db, $) =>
    db
      .deleteFrom('approvalRuleUsers')
      .where('userId', '=', $('userId'))
      .where('ruleId', 'in', (eb) =>
        eb
          .selectFrom('approvalRuleUsers as some')
          .where('some.userId', '=', $('userId'))
          .select('some.ruleId')
          .limit($('limit')),
      ),
  )
  if (listings.changes > 0) touchStamp(tx, 'mergeRequests')
  return Math.max(approvals.changes, listings.changes)
}
