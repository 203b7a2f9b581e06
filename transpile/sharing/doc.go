// Package sharing finds the state that requests of an app can share although
// nobody declared it so.
//
// It follows values through the app's own code: which functions, objects, arrays
// and instances a variable, a property or a parameter may hold, from the places
// that make them, without regard to order. What packages do is unknown, and what
// comes from them as well, but for what some are known to keep (packages.go). With that it answers, for each place that makes an
// object and each variable:
//
//  1. Who writes to it: every assignment, update, delete, and call of a method that
//     changes its receiver, through whatever name. A property of a value that is
//     known is that of the objects it may be; of one that is unknown, every
//     property of that name.
//  2. Which writers may run after load: functions that code outside may call (as
//     handlers, listeners, timers), functions that nobody is seen to call, and what
//     these call. A function that only load time calls is none.
//  3. Which variables and objects may be made while the app loads: those of modules,
//     of what modules call, and of functions that code outside may call meanwhile.
//     What a request makes is its own, until it is put into something that is shared.
//  4. A function's writes to what that same call of it made are no changes, nor are a
//     constructor's to its new object.
//
// Shared is what may be made while the app loads and written to later. The runtime
// tracks only those of its instances that load time did make (and what requests
// put into them), so finding too much costs speed; finding too little would reject
// an honest server. Where this package knows nothing it therefore finds too much,
// with one exception: that a package writes to an object it was given, or hands one
// request's objects to another, it cannot see.
package sharing
