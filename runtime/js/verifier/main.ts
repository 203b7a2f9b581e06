// The runtime that the verifier build links, loaded as a script before the
// models and the program.
import './engine-differences';
import './raw';
import './mv';
import { install } from './driver';
import './track-natives';

install();
