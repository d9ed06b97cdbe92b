/** Runs SQL that is used only once, for migrations; errors are the driver's own. */
export type RunSql = (text: string, values: readonly unknown[]) => Promise<unknown[]>
