import type { Insertable, Selectable, Updateable } from 'kysely'
import type { EventsTable } from './events.ts'
import type { MembersTable, ProjectGroupLinksTable } from './members.ts'
import type { NamespaceAncestorsTable, NamespacesTable } from './namespaces.ts'
import type {
  ProjectLanguagesTable,
  ProjectStatisticsTable,
  ProjectsTable,
  StarsTable,
} from './projects.ts'
import type {
  CountersTable,
  CustomAttributesTable,
  JobsTable,
  SchemaMigrationsTable,
  SettingsTable,
  StampsTable,
} from './system.ts'
import type { IdentitiesTable, SessionsTable, TokensTable, UsersTable } from './users.ts'

/**
 * Every table, by its name in the database. Instants are milliseconds since the epoch, dates
 * `YYYY-MM-DD`, booleans `Flag`, structured values JSON text; `…Lower` is the lower-cased column
 * that comparisons and orders use.
 */
export interface Schema {
  users: UsersTable
  identities: IdentitiesTable
  tokens: TokensTable
  sessions: SessionsTable
  namespaces: NamespacesTable
  namespaceAncestors: NamespaceAncestorsTable
  projects: ProjectsTable
  projectStatistics: ProjectStatisticsTable
  projectLanguages: ProjectLanguagesTable
  stars: StarsTable
  members: MembersTable
  projectGroupLinks: ProjectGroupLinksTable
  customAttributes: CustomAttributesTable
  events: EventsTable
  jobs: JobsTable
  counters: CountersTable
  settings: SettingsTable
  stamps: StampsTable
  schema_migrations: SchemaMigrationsTable
}

/** A whole row as it is read: `Row<'users'>`. */
export type Row<Table extends keyof Schema> = Selectable<Schema[Table]>

/** A row as it is inserted: generated and nullable columns may be left out. */
export type NewRow<Table extends keyof Schema> = Insertable<Schema[Table]>

/** What an update may set. */
export type RowChanges<Table extends keyof Schema> = Updateable<Schema[Table]>
