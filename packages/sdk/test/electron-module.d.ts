// What the example uses of Electron. Its own package would bring a browser.
declare module 'electron' {
  export const app: { getPath(name: 'userData'): string }
  export const ipcMain: {
    handle(channel: string, listener: (event: unknown, code: string) => Promise<string>): void
  }
}
