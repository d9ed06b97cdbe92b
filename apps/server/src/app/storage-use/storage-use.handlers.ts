import { statfs } from 'node:fs/promises'
import type { storageUseContract } from '@stithy/core'
import { sumStorage } from '@stithy/store'
import type { Handlers } from '../../platform/http/call.ts'

export const storageUseHandlers: Handlers<typeof storageUseContract> = {
  async show({ app }) {
    const [storage, disk] = await Promise.all([sumStorage(app.db), statfs(app.config.data)])
    return {
      ...storage,
      disk_size: disk.blocks * disk.bsize,
      disk_available: disk.bavail * disk.bsize,
    }
  },
}
