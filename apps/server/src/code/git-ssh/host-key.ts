import { join } from 'node:path'
import ssh2 from 'ssh2'
import type { Config } from '../../platform/config/config.ts'
import { readOrCreate } from '../../platform/secrets/stored-file.ts'

/** The host key's file in the data folder, in OpenSSH's format. */
const fileName = 'ssh_host_ed25519_key'

/**
 * The private host key of the SSH server, in OpenSSH's format. The first start writes one to the
 * data folder, readable by its owner only; servers that share one address need the same file.
 */
export function loadHostKey({ data }: Config): Promise<string> {
  return readOrCreate(join(data, fileName), generateKey)
}

/** One in some 400 keys that ssh2 generates cannot be parsed, by ssh2 or by OpenSSH. */
function generateKey(): string {
  for (;;) {
    const { private: key } = ssh2.utils.generateKeyPairSync('ed25519')
    if (!(ssh2.utils.parseKey(key) instanceof Error)) return key
  }
}
