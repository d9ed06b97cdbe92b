import { recordAuditEvents } from '../../activity/audit-events/audit-effects.ts'
import { notifyStreamsOfPipeline } from '../../activity/event-streams/event-stream-effects.ts'
import { recordPushEvents } from '../../activity/events/event-effects.ts'
import { notifyOfPipeline } from '../../activity/notifications/place-effects.ts'
import {
  indexImport,
  indexPush,
  indexWiki,
} from '../../activity/search-index/search-index-effects.ts'
import {
  enqueuePipelineHooks,
  enqueuePushHooks,
  enqueueWikiPageHooks,
} from '../../activity/webhooks/webhook-effects.ts'
import { enqueueDeploymentRef } from '../../ci/deployments/deployment-effects.ts'
import { startEnvironment } from '../../ci/environments/environment-effects.ts'
import { countForHousekeeping } from '../../code/housekeeping/housekeeping-effects.ts'
import {
  protectFirstBranch,
  protectImportedBranch,
} from '../../code/protected-refs/protected-ref-effects.ts'
import { touchPusherActivity } from '../../code/pushes/push-effects.ts'
import { deleteReleasesOfTags } from '../../code/releases/release-effects.ts'
import {
  refreshImportedRepository,
  refreshRepository,
} from '../../code/statistics/statistics-effects.ts'
import {
  countWikiForHousekeeping,
  refreshWiki,
  touchWikiWriter,
} from '../../code/wikis/wiki-effects.ts'
import type { EffectTable } from '../../platform/changes/record-change.ts'
import { enqueueCommitMessageJob } from '../../review/commit-messages/commit-message-effects.ts'
import {
  addBuildFailedTodosToAuthors,
  enqueueMergeRequestRefresh,
} from '../../review/merge-requests/merge-request-effects.ts'
import { enqueueWaitingMerges } from '../../review/merging/merging-effects.ts'
import { enqueuePushOptions } from '../../review/push-options/push-options.jobs.ts'

/** What follows from changes of repositories and pipelines. */
export const codeEffects = {
  // code
  'ref_protection.changed': [recordAuditEvents],
  'deploy_key.enabled': [recordAuditEvents],
  'deploy_key.updated': [recordAuditEvents],
  'deploy_key.disabled': [recordAuditEvents],
  'public_deploy_key.created': [recordAuditEvents],
  'public_deploy_key.deleted': [recordAuditEvents],
  'deploy_token.created': [recordAuditEvents],
  'deploy_token.revoked': [recordAuditEvents],
  'refs.moved': [
    deleteReleasesOfTags,
    protectFirstBranch,
    touchPusherActivity,
    refreshRepository,
    indexPush,
    countForHousekeeping,
    enqueuePushHooks,
    enqueueMergeRequestRefresh,
    enqueueCommitMessageJob,
    enqueuePushOptions,
    recordPushEvents,
  ],
  'wiki.changed': [
    touchWikiWriter,
    refreshWiki,
    indexWiki,
    countWikiForHousekeeping,
    enqueueWikiPageHooks,
  ],
  'repository.imported': [protectImportedBranch, refreshImportedRepository, indexImport],
  // ci
  'pipeline.status_changed': [
    enqueuePipelineHooks,
    enqueueWaitingMerges,
    notifyOfPipeline,
    notifyStreamsOfPipeline,
  ],
  'commit_status.failed': [addBuildFailedTodosToAuthors],
  'deployment.succeeded': [startEnvironment, enqueueDeploymentRef],
} satisfies Partial<EffectTable>
