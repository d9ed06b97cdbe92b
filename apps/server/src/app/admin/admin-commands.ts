import { type Command, Option } from 'commander'
import { addDataOptions, configFile, settingsOf } from '../serve/serve-command.ts'
import type { ConfigFlags } from './config-flags.ts'

/** `stithy admin …`: commands that need the data folder itself, also while a server runs on it. */
export function addAdminCommands(program: Command): void {
  const admin = program
    .command('admin')
    .description('Administer a data folder without going through the API')
  addDataOptions(
    admin
      .command('create-user <username>')
      .description(
        'Create a user; the password is generated and shown, unless --password-stdin is given',
      )
      .requiredOption('--email <address>', 'e-mail address')
      .option('--name <name>', 'full name (default: the username)')
      .option('--admin', 'make the user an administrator')
      .option('--password-stdin', 'read the password from standard input'),
  ).action(async (username: string, options: Record<string, unknown>) => {
    const { createUser } = await import('./admin-actions.ts')
    await createUser(username, options, sources(options))
  })
  addDataOptions(
    admin
      .command('create-token <username>')
      .description('Create a personal access token and show it once')
      .requiredOption('--name <name>', 'what the token is for')
      .addOption(new Option('--scope <scope...>', 'what the token may do').default(['api']))
      .option('--expires-at <date>', 'last day, YYYY-MM-DD'),
  ).action(async (username: string, options: Record<string, unknown>) => {
    const { createAccessToken } = await import('./admin-actions.ts')
    await createAccessToken(username, options, sources(options))
  })
  addDataOptions(
    admin
      .command('reset-password <username>')
      .description('Set a new password, which the user changes at the next sign-in')
      .option('--password-stdin', 'read the password from standard input'),
  ).action(async (username: string, options: Record<string, unknown>) => {
    const { resetPassword } = await import('./admin-actions.ts')
    await resetPassword(username, options, sources(options))
  })
  addDisableTwoFactor(admin)
  addDataOptions(
    admin.command('migrate').description('Bring the database up to date and say what was done'),
  ).action(async (options: Record<string, unknown>) => {
    const { migrate } = await import('./admin-actions.ts')
    await migrate(sources(options))
  })
}

/** `stithy index`. */
export function addIndexCommand(program: Command): void {
  addDataOptions(
    program
      .command('index')
      .description('Bring the search index of code up to date, also while a server runs')
      .option('--rebuild', 'make the index of each repository anew'),
  ).action(async (options: Record<string, unknown>) => {
    const { indexAll } = await import('./index-actions.ts')
    await indexAll({ rebuild: options.rebuild === true }, sources(options))
  })
}

function addDisableTwoFactor(admin: Command): void {
  addDataOptions(
    admin
      .command('disable-two-factor <username>')
      .description('Turn the two-factor authentication of a user off, who has lost their app'),
  ).action(async (username: string, options: Record<string, unknown>) => {
    const { disableTwoFactor } = await import('./admin-actions.ts')
    await disableTwoFactor(username, sources(options))
  })
}

const own = new Set(['email', 'name', 'admin', 'passwordStdin', 'scope', 'expiresAt', 'rebuild'])

function sources(options: Record<string, unknown>): ConfigFlags {
  const shared = Object.fromEntries(Object.entries(options).filter(([name]) => !own.has(name)))
  return { flags: settingsOf(shared), file: configFile(options) }
}
