import type { Insertable, Selectable, Updateable } from 'kysely'
import type {
  AppearancesTable,
  AuditEventsTable,
  BroadcastMessagesTable,
  FeatureGatesTable,
  FeaturesTable,
} from './administration.ts'
import type {
  ApprovalRuleGroupsTable,
  ApprovalRulesTable,
  ApprovalRuleUsersTable,
  ApprovalsTable,
  ProjectApprovalSettingsTable,
} from './approvals.ts'
import type { AwardsTable } from './awards.ts'
import type { BadgesTable } from './badges.ts'
import type { BoardLabelsTable, BoardListsTable, BoardsTable } from './boards.ts'
import type { DeployKeyProjectsTable, DeployTokensTable, SshKeysTable } from './deploy-access.ts'
import type { EmailsTable } from './emails.ts'
import type { DeploymentsTable, EnvironmentsTable } from './environments.ts'
import type { EpicIssuesTable, EpicsTable } from './epics.ts'
import type { EventsTable } from './events.ts'
import type { GpgKeysTable, GpgSubkeysTable } from './gpg-keys.ts'
import type { RepositoryHousekeepingTable } from './housekeeping.ts'
import type {
  IssueAssigneesTable,
  IssueLinksTable,
  IssuesTable,
  MergeRequestClosingsTable,
  TimeLogsTable,
} from './issues.ts'
import type {
  LabelEventsTable,
  LabelLinksTable,
  LabelPrioritiesTable,
  LabelsTable,
  LabelTotalsTable,
} from './labels.ts'
import type { MailsTable, PasswordResetsTable } from './mails.ts'
import type {
  AccessRequestsTable,
  GroupGroupLinksTable,
  MembersTable,
  ProjectGroupLinksTable,
} from './members.ts'
import type {
  MergeRequestAssigneesTable,
  MergeRequestCommitsTable,
  MergeRequestsTable,
  MergeRequestVersionsTable,
} from './merge-requests.ts'
import type { MilestonesTable } from './milestones.ts'
import type { NamespaceAncestorsTable, NamespacesTable } from './namespaces.ts'
import type { NotesTable, SuggestionsTable } from './notes.ts'
import type { NotificationSettingsTable } from './notifications.ts'
import type {
  OauthApplicationsTable,
  OauthCodesTable,
  OauthGrantsTable,
  OauthRefreshTokensTable,
} from './oauth.ts'
import type { PagesDomainsTable } from './pages-domains.ts'
import type { CommitStatusesTable, PipelinesTable } from './pipelines.ts'
import type {
  ProjectFetchesTable,
  ProjectImportsTable,
  ProjectLanguagesTable,
  ProjectStatisticsTable,
  ProjectsTable,
  StarsTable,
} from './projects.ts'
import type { ProtectedRefLevelsTable, ProtectedRefsTable } from './protected-refs.ts'
import type { RedirectsTable } from './redirects.ts'
import type { ReleaseLinksTable, ReleasesTable } from './releases.ts'
import type { IdentitiesTable, ScimAccountsTable, ScimTokensTable } from './scim.ts'
import type {
  SearchBlocksTable,
  SearchCommitsTable,
  SearchFilesTable,
  SearchPagesTable,
  SearchSegmentsTable,
  SearchSourcesTable,
  SearchTextsTable,
} from './search.ts'
import type { SnippetsTable } from './snippets.ts'
import type {
  CountersTable,
  CustomAttributesTable,
  JobSamplesTable,
  JobsTable,
  SchemaMigrationsTable,
  SettingsTable,
  StampsTable,
  WorkersTable,
} from './system.ts'
import type {
  CrossReferencesTable,
  MentionsTable,
  SubscriptionsTable,
  TodosTable,
} from './todos.ts'
import type {
  PendingSignInsTable,
  RecoveryCodesTable,
  SessionsTable,
  TokensTable,
  TwoFactorsTable,
  UserPreferencesTable,
  UserStatusesTable,
  UsersTable,
} from './users.ts'
import type { ViewedFilesTable } from './viewed-files.ts'
import type {
  SecurityReportsTable,
  VulnerabilitiesTable,
  VulnerabilityCountsTable,
  VulnerabilityDismissalsTable,
  VulnerabilityIssuesTable,
} from './vulnerabilities.ts'
import type { WebhookDeliveriesTable, WebhookEventsTable, WebhooksTable } from './webhooks.ts'

/**
 * Every table, by its name in the database. Timestamps are milliseconds since the epoch, dates
 * `YYYY-MM-DD`, booleans `Flag`, structured values JSON text; `…Lower` is the lower-cased column
 * for comparisons and sorting.
 */
export interface Schema {
  users: UsersTable
  userPreferences: UserPreferencesTable
  userStatuses: UserStatusesTable
  emails: EmailsTable
  identities: IdentitiesTable
  scimTokens: ScimTokensTable
  scimAccounts: ScimAccountsTable
  tokens: TokensTable
  sessions: SessionsTable
  pendingSignIns: PendingSignInsTable
  twoFactors: TwoFactorsTable
  recoveryCodes: RecoveryCodesTable
  oauthApplications: OauthApplicationsTable
  oauthGrants: OauthGrantsTable
  oauthCodes: OauthCodesTable
  oauthRefreshTokens: OauthRefreshTokensTable
  namespaces: NamespacesTable
  namespaceAncestors: NamespaceAncestorsTable
  projects: ProjectsTable
  projectImports: ProjectImportsTable
  projectStatistics: ProjectStatisticsTable
  projectFetches: ProjectFetchesTable
  projectLanguages: ProjectLanguagesTable
  stars: StarsTable
  members: MembersTable
  accessRequests: AccessRequestsTable
  groupGroupLinks: GroupGroupLinksTable
  projectGroupLinks: ProjectGroupLinksTable
  protectedRefs: ProtectedRefsTable
  protectedRefLevels: ProtectedRefLevelsTable
  sshKeys: SshKeysTable
  gpgKeys: GpgKeysTable
  gpgSubkeys: GpgSubkeysTable
  deployKeyProjects: DeployKeyProjectsTable
  deployTokens: DeployTokensTable
  badges: BadgesTable
  repositoryHousekeeping: RepositoryHousekeepingTable
  mergeRequests: MergeRequestsTable
  mergeRequestAssignees: MergeRequestAssigneesTable
  mergeRequestVersions: MergeRequestVersionsTable
  mergeRequestCommits: MergeRequestCommitsTable
  projectApprovalSettings: ProjectApprovalSettingsTable
  approvalRules: ApprovalRulesTable
  approvalRuleUsers: ApprovalRuleUsersTable
  approvalRuleGroups: ApprovalRuleGroupsTable
  approvals: ApprovalsTable
  viewedFiles: ViewedFilesTable
  customAttributes: CustomAttributesTable
  events: EventsTable
  notes: NotesTable
  suggestions: SuggestionsTable
  issues: IssuesTable
  issueAssignees: IssueAssigneesTable
  issueLinks: IssueLinksTable
  mergeRequestClosings: MergeRequestClosingsTable
  timeLogs: TimeLogsTable
  epics: EpicsTable
  epicIssues: EpicIssuesTable
  labels: LabelsTable
  labelPriorities: LabelPrioritiesTable
  labelLinks: LabelLinksTable
  labelEvents: LabelEventsTable
  labelTotals: LabelTotalsTable
  milestones: MilestonesTable
  boards: BoardsTable
  boardLabels: BoardLabelsTable
  boardLists: BoardListsTable
  awards: AwardsTable
  todos: TodosTable
  subscriptions: SubscriptionsTable
  mentions: MentionsTable
  crossReferences: CrossReferencesTable
  snippets: SnippetsTable
  notificationSettings: NotificationSettingsTable
  releases: ReleasesTable
  releaseLinks: ReleaseLinksTable
  searchSources: SearchSourcesTable
  searchBlocks: SearchBlocksTable
  searchFiles: SearchFilesTable
  searchPaths: SearchTextsTable
  searchTexts: SearchTextsTable
  searchCommits: SearchCommitsTable
  searchMessages: SearchTextsTable
  searchSegments: SearchSegmentsTable
  searchPages: SearchPagesTable
  pipelines: PipelinesTable
  commitStatuses: CommitStatusesTable
  environments: EnvironmentsTable
  deployments: DeploymentsTable
  pagesDomains: PagesDomainsTable
  redirects: RedirectsTable
  securityReports: SecurityReportsTable
  vulnerabilities: VulnerabilitiesTable
  vulnerabilityCounts: VulnerabilityCountsTable
  vulnerabilityDismissals: VulnerabilityDismissalsTable
  vulnerabilityIssues: VulnerabilityIssuesTable
  webhooks: WebhooksTable
  webhookEvents: WebhookEventsTable
  webhookDeliveries: WebhookDeliveriesTable
  auditEvents: AuditEventsTable
  broadcastMessages: BroadcastMessagesTable
  features: FeaturesTable
  featureGates: FeatureGatesTable
  appearances: AppearancesTable
  jobs: JobsTable
  workers: WorkersTable
  jobSamples: JobSamplesTable
  mails: MailsTable
  passwordResets: PasswordResetsTable
  counters: CountersTable
  settings: SettingsTable
  stamps: StampsTable
  schema_migrations: SchemaMigrationsTable
}

/** A whole row: `Row<'users'>`. */
export type Row<Table extends keyof Schema> = Selectable<Schema[Table]>

/** A row to insert: generated and nullable columns may be left out. */
export type NewRow<Table extends keyof Schema> = Insertable<Schema[Table]>

/** The columns that an update may set. */
export type RowChanges<Table extends keyof Schema> = Updateable<Schema[Table]>
