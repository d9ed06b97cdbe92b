/** What stands for a secret that is set, in responses; sent back, it leaves the secret as it is. */
export const maskedSecret = '********'
