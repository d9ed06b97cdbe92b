import { link, readFile, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import ssh2 from 'ssh2'
import type { Config } from '../../platform/config/config.ts'

/** The host key's file in the data folder, in OpenSSH's format. */
const fileName = 'ssh_host_ed25519_key'

/**
 * The private host key of the SSH server, in OpenSSH's format. The first start writes one to the
 * data folder, readable by its owner only; servers that share one address need the same file.
 */
export async function loadHostKey({ data }: Config): Promise<string> {
  const path = join(data, fileName)
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  const temporary = `${path}.${process.pid}`
  await writeFile(temporary, generateKey(), { mode: 0o600, flush: true })
  try {
    // Unlike a rename, this keeps the key that another server wrote meanwhile.
    await link(temporary, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    await unlink(temporary)
  }
  return readFile(path, 'utf8')
}

/** One in some 400 keys that ssh2 generates cannot be parsed, by ssh2 or by OpenSSH. */
function generateKey(): string {
  for (;;) {
    const { private: key } = ssh2.utils.generateKeyPairSync('ed25519')
    if (!(ssh2.utils.parseKey(key) instanceof Error)) return key
  }
}
