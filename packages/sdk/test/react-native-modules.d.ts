// What the example uses of packages for React Native.
declare module '@react-native-async-storage/async-storage' {
  const AsyncStorage: {
    getItem(key: string): Promise<string | null>
    setItem(key: string, value: string): Promise<void>
    removeItem(key: string): Promise<void>
    getAllKeys(): Promise<readonly string[]>
  }
  export default AsyncStorage
}
declare module 'react-native-quick-crypto' {
  export function install(): void
}
