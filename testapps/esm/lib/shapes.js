export const settings = { unit: 'cm', kind: 'square', size: 1 };

export function area({ kind, size }) {
  switch (kind) {
    case 'square':
      return size ** 2;
    case 'circle':
      return Math.round(Math.PI * size ** 2);
    default:
      throw new RangeError(`what is a ${kind}?`);
  }
}

export default ['square', 'circle'];
