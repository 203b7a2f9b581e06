package collector

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/textproto"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"karousosc/verifier/trace"
)

// A body of up to this size is read whole and forwarded with its head in one
// write; this is also the piece in which larger ones are streamed.
const pieceSize = 64 << 10

// linger is how long the rest of a request may take to come after its response.
const linger = time.Second

// exchange is what forwarding one request needs; they are used again and again.
type exchange struct {
	c       *Collector
	w       http.ResponseWriter
	r       *http.Request
	rid     uint64
	request trace.Request
	upgrade string // the protocol that the client wants to change to

	headers, replyHeaders []trace.Header
	head, piece           []byte

	reply    *reply
	begun    bool  // the response's head is on its way to the client
	recorded int64 // bytes of the response's body in the trace

	// These are shared with the goroutine that streams the request's body.
	tooLarge, remarked, clientGone atomic.Bool
}

var exchanges = sync.Pool{New: func() any { return &exchange{piece: make([]byte, pieceSize)} }}

// ServeHTTP records and forwards one request.
func (c *Collector) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if err := c.trace.Err(); err != nil {
		// Fail closed: what is not recorded cannot be audited.
		http.Error(w, "The collector cannot record this request.", http.StatusServiceUnavailable)
		return
	}
	if r.Method == http.MethodConnect {
		http.Error(w, "This is not a forward proxy.", http.StatusNotImplemented)
		return
	}
	var h *head
	if cl, ok := r.Context().Value(clientKey{}).(*client); ok {
		if h = cl.next(r); h != nil {
			_, r.RequestURI, _ = requestLine(h.line)
		}
	}
	if status, why := unservable(r); status != 0 {
		http.Error(w, why, status)
		return
	}
	if !c.enter() {
		panic(http.ErrAbortHandler)
	}
	defer c.inFlight.Done()
	x := exchanges.Get().(*exchange)
	x.c, x.w, x.r = c, w, r
	x.fill(h)
	x.rid = c.trace.Begin(&x.request)
	aborted := x.forward()
	*x = exchange{piece: x.piece, headers: x.headers[:0], replyHeaders: x.replyHeaders[:0], head: x.head[:0]}
	exchanges.Put(x)
	if aborted {
		panic(http.ErrAbortHandler) // net/http's way to cut the client's connection
	}
}

// maxHead is what Node.js takes of a request's line and headers, less room for
// our own header.
const maxHead = 16<<10 - 64

// maxHeaders is how many headers Node.js takes, less room for what we add. It would drop the rest without a word.
const maxHeaders = 1000 - 10

// methods are those that Node.js's parser knows.
var methods = func() map[string]bool {
	m := map[string]bool{}
	for _, name := range strings.Fields(`ACL BIND CHECKOUT COPY DELETE GET HEAD LINK LOCK M-SEARCH MERGE MKACTIVITY MKCALENDAR MKCOL
		MOVE NOTIFY OPTIONS PATCH POST PROPFIND PROPPATCH PURGE PUT QUERY REBIND REPORT SEARCH SOURCE SUBSCRIBE TRACE UNBIND UNLINK UNLOCK UNSUBSCRIBE`) {
		m[name] = true
	}
	return m
}()

// unservable requests never reach an application: the server's platform answers
// them by itself, and its answer could not be audited. The collector answers in
// its place, and they are no part of the trace.
func unservable(r *http.Request) (status int, why string) {
	if !methods[r.Method] {
		return http.StatusNotImplemented, "This method is not served."
	}
	for i := 0; i < len(r.RequestURI); i++ {
		if c := r.RequestURI[i]; c <= ' ' || c >= 0x7f {
			return http.StatusBadRequest, "The request's target holds characters that must be percent-encoded."
		}
	}
	head, n := len(r.Method)+len(r.RequestURI)+len(r.Host)+32, 0
	for name, values := range r.Header {
		n += len(values)
		for _, v := range values {
			head += len(name) + len(v) + 4
		}
	}
	if head > maxHead || n > maxHeaders {
		return http.StatusRequestHeaderFieldsTooLarge, "The request's headers are too large."
	}
	return 0, ""
}

// hopByHop headers concern one connection, and are not forwarded.
func hopByHop(name string) bool {
	switch name {
	case "Connection", "Keep-Alive", "Proxy-Connection", "Proxy-Authenticate", "Proxy-Authorization",
		"Te", "Trailer", "Transfer-Encoding", "Upgrade", RequestIDHeader:
		// The id is ours to give, not the client's.
		return true
	}
	return false
}

// fill makes the request as it will be forwarded, less our own header.
func (x *exchange) fill(h *head) {
	r := x.r
	x.request = trace.Request{Method: r.Method, Target: r.RequestURI, Proto: "HTTP/1.1"}
	connection := r.Header["Connection"]
	if listed(connection, "Upgrade") && len(r.Header["Upgrade"]) == 1 {
		x.upgrade = r.Header["Upgrade"][0]
	}
	var came []trace.Header
	if h != nil {
		came = h.headers(r)
	}
	if came == nil {
		came = sorted(r)
	}
	hs := x.headers[:0]
	if r.Host == "" {
		hs = append(hs, trace.Header{Name: "Host", Value: x.c.pool.host})
	}
	for _, one := range came {
		switch name := textproto.CanonicalMIMEHeaderKey(one.Name); {
		case name == "Host" && r.Host == "":
			continue
		case name == "Connection" && x.upgrade != "":
			one.Value = "Upgrade"
		case name == "Connection" && !plain(connection), name == "Upgrade" && x.upgrade == "":
			continue
		case name == "Connection", name == "Upgrade", name == "Content-Length", name == "Transfer-Encoding":
			// As a program would see them without us; the last two frame the body, whatever is listed.
		case hopByHop(name), listed(connection, name):
			continue
		}
		hs = append(hs, one)
	}
	x.headers, x.request.Headers = hs, hs
}

// sorted are a request's headers in some definite order: net/http has a map of them.
func sorted(r *http.Request) []trace.Header {
	hs := []trace.Header{{Name: "Host", Value: r.Host}}
	if r.ContentLength < 0 {
		hs = append(hs, trace.Header{Name: "Transfer-Encoding", Value: "chunked"})
	}
	for _, name := range slices.Sorted(maps.Keys(r.Header)) {
		for _, value := range r.Header[name] {
			if name != "Content-Length" || r.ContentLength >= 0 {
				hs = append(hs, trace.Header{Name: name, Value: value})
			}
		}
	}
	return hs
}

// plain tells whether a client asks for no more than that its connection be kept, or closed.
func plain(connection []string) bool {
	return len(connection) == 1 && (strings.EqualFold(connection[0], "keep-alive") || strings.EqualFold(connection[0], "close"))
}

func listed(connection []string, name string) bool {
	for _, list := range connection {
		if hasToken(list, name) {
			return true
		}
	}
	return false
}

// forward does all of it, and tells whether the client's connection must be
// cut because a response stays incomplete.
func (x *exchange) forward() (cut bool) {
	up, err := x.send()
	if err == nil {
		defer up.end()
		err = x.respond(up)
	}
	if err != nil {
		return x.abort(err)
	}
	return false
}

// upload is a request under way to the server.
type upload struct {
	x    *exchange
	conn *conn
	keep time.Duration
	good bool // the response is complete

	unwatch func() bool   // stop looking after the client
	done    chan struct{} // a streamed body: closed when its goroutine is over
	ok      bool          // and it has sent all of it; read after done
	final   atomic.Bool   // the last piece is being sent: the server may well have it
}

// watch closes the server's connection when the client goes away, as its going
// would have done without us.
func (x *exchange) watch(c *conn) *upload {
	u := &upload{x: x, conn: c}
	u.unwatch = context.AfterFunc(x.r.Context(), func() { c.SetDeadline(time.Unix(1, 0)) })
	return u
}

// end waits for what is left of the upload and gives the connection back.
func (u *upload) end() {
	if u.done != nil && u.good {
		if u.sending() {
			// The server has answered without waiting for the body, and may be
			// reading the rest of it, as the client may be sending it: the trace
			// should have all of it. The client should not wait for that.
			http.NewResponseController(u.x.w).Flush()
		}
		select {
		case <-u.done:
		case <-time.After(linger):
		}
	}
	quiet := u.unwatch()
	if u.done != nil {
		select {
		case <-u.done:
		default:
			// The goroutine must not outlive the handler.
			u.conn.Close()
			http.NewResponseController(u.x.w).SetReadDeadline(time.Unix(1, 0))
			<-u.done
			quiet = false
		}
		if !u.ok {
			if u.good {
				u.x.remark("the server answered before it had the whole request")
			}
			u.good = false
		}
	}
	if u.good && quiet && u.x.reply.reuse && u.conn.br.Buffered() == 0 {
		u.x.c.pool.put(u.conn, u.keep)
	} else {
		u.conn.Close()
	}
}

// sending tells whether a part of the request is still to be sent, or never will be.
func (u *upload) sending() bool {
	return u.done != nil && !u.final.Load()
}

// clientError is a failure on the client's side of an exchange.
type clientError struct{ err error }

func (e clientError) Error() string { return e.err.Error() }

// send sends the request, or begins to, and reads the head of the response.
func (x *exchange) send() (*upload, error) {
	var body []byte
	stream := false
	switch n := x.r.ContentLength; {
	case n == 0:
	case n > 0 && n <= pieceSize:
		body = x.piece[:n]
		if _, err := io.ReadFull(x.r.Body, body); err != nil {
			return nil, clientError{fmt.Errorf("reading the request's body: %w", err)}
		}
		// Record it before it is sent. The piece is free again once it is.
		if x.c.maxBody < n {
			x.noteTooLarge("request")
		} else {
			x.c.trace.RequestBody(x.rid, body)
		}
	default:
		stream = true
	}
	c, err := x.c.pool.get(x.r.Context())
	for {
		if err != nil {
			return nil, fmt.Errorf("connecting to the server: %w", err)
		}
		u := x.watch(c)
		c.request(&x.request, x.rid)
		c.out = append(c.out, body...)
		if _, err = c.Write(c.out); err == nil {
			if stream {
				u.done = make(chan struct{})
				// The body and the response may flow at the same time.
				http.NewResponseController(x.w).EnableFullDuplex()
				go u.stream()
			}
			if x.reply, err = c.readReply(x.r.Method, x.replyHeaders, &x.head); err == nil {
				u.keep, x.replyHeaders = x.reply.keepAlive, x.reply.headers
				return u, nil
			}
		}
		again := c.reused && !stream && x.again()
		u.end()
		if !again {
			return nil, err
		}
		// The server closed an idle connection just now: most likely nobody has
		// seen the request, and it may be sent once more on a new one. It may also be that the
		// program saw it and closed the connection, so it gets another number.
		x.c.trace.Abort(x.rid, nil, "the server closed the connection, and the request was sent once more")
		x.rid = x.c.trace.Begin(&x.request)
		x.c.mu.Lock()
		x.c.stats.Requests++
		x.c.stats.Aborted++
		x.c.mu.Unlock()
		if len(body) > 0 && !x.tooLarge.Load() {
			x.c.trace.RequestBody(x.rid, body)
		}
		c, err = x.c.pool.fresh(x.r.Context())
	}
}

// again tells whether a failed request may be repeated: it has no effects by
// its method, and no byte of an answer came.
func (x *exchange) again() bool {
	switch x.r.Method {
	case "GET", "HEAD", "OPTIONS":
		return len(x.head) == 0 && x.r.Context().Err() == nil
	}
	return false
}

// stream sends a body that is large or of unknown length. It has the piece
// to itself: until it is over, the response uses another.
func (u *upload) stream() {
	defer close(u.done)
	x := u.x
	buf := make([]byte, pieceSize)
	chunked := x.r.ContentLength < 0
	var size int64
	for {
		n, err := x.r.Body.Read(buf)
		if n > 0 {
			if size += int64(n); size <= x.c.maxBody {
				x.c.trace.RequestBody(x.rid, buf[:n])
			} else {
				x.noteTooLarge("request")
			}
			if size == x.r.ContentLength {
				u.final.Store(true)
			}
			if e := u.write(buf[:n], chunked); e != nil {
				return
			}
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			// The client gave up, or the response is complete. A server that
			// waits for the rest must learn that it will not come.
			x.clientGone.Store(true)
			u.conn.SetDeadline(time.Unix(1, 0))
			return
		}
	}
	if chunked {
		end := []byte("0\r\n")
		if len(x.r.Trailer) > 0 {
			x.remark("the request has trailers")
			for name, values := range x.r.Trailer {
				for _, v := range values {
					if !validValue(v) {
						continue // net/http looks at headers only
					}
					end = append(end, name+": "+v+"\r\n"...)
				}
			}
		}
		u.final.Store(true)
		if _, err := u.conn.Write(append(end, "\r\n"...)); err != nil {
			return
		}
	}
	u.ok = true
}

func (u *upload) write(p []byte, chunked bool) error {
	if !chunked {
		_, err := u.conn.Write(p)
		return err
	}
	parts := net.Buffers{strconv.AppendInt(nil, int64(len(p)), 16), []byte("\r\n"), p, []byte("\r\n")}
	_, err := parts.WriteTo(u.conn.Conn)
	return err
}

// remark records that the trace does not tell everything about this exchange.
func (x *exchange) remark(note string) {
	x.c.trace.Unaudited(x.rid, note)
	first := x.remarked.CompareAndSwap(false, true)
	x.c.mu.Lock()
	defer x.c.mu.Unlock()
	if first {
		x.c.stats.Unaudited++
	}
	if len(x.c.stats.Remarks) < maxRemarks {
		x.c.stats.Remarks = append(x.c.stats.Remarks, Remark{x.rid, x.r.Method, x.r.RequestURI, note})
	}
}

func (x *exchange) noteTooLarge(what string) {
	if x.tooLarge.CompareAndSwap(false, true) {
		x.remark(fmt.Sprintf("the %s's body is larger than the limit of %d bytes, and not recorded in full", what, x.c.maxBody))
	}
}

// respond hands the response to the client. The order matters: the trace has
// the response before the client can know that it is complete.
func (x *exchange) respond(u *upload) error {
	rep := x.reply
	if rep.status == http.StatusSwitchingProtocols {
		if x.upgrade == "" {
			return errors.New("the server changed to a protocol that the client had not asked for")
		}
		return x.tunnel(u)
	}
	piece := x.piece
	if rep.length >= 0 && rep.length <= int64(len(piece)) {
		body := piece[:rep.length]
		if _, err := io.ReadFull(rep.body, body); err != nil {
			return fmt.Errorf("reading the response: %w", err)
		}
		if err := x.finish(u, body); err != nil {
			return err
		}
		x.writeHead(u)
		x.w.Write(body) // should the client have gone: the server did answer
		return nil
	}
	x.writeHead(u)
	control := http.NewResponseController(x.w)
	left := rep.length
	for {
		if u.conn.br.Buffered() == 0 {
			// The program may have nothing more to say for a while.
			if err := control.Flush(); err != nil {
				return clientError{fmt.Errorf("sending the response: %w", err)}
			}
		}
		n, err := rep.body.Read(piece)
		left -= int64(n)
		if err == io.EOF || left == 0 {
			if err := x.finish(u, piece[:n]); err != nil {
				return err
			}
			x.writeTrailers()
			x.w.Write(piece[:n])
			return nil
		}
		if err != nil {
			return fmt.Errorf("reading the response: %w", err)
		}
		if part := x.recordable(piece[:n]); part != nil {
			x.c.trace.ResponseBody(x.rid, part)
		}
		if _, err := x.w.Write(piece[:n]); err != nil {
			return clientError{fmt.Errorf("sending the response: %w", err)}
		}
	}
}

// recordable is the part of a response's body that the limit leaves room for:
// all or nothing.
func (x *exchange) recordable(part []byte) []byte {
	if x.recorded += int64(len(part)); x.recorded > x.c.maxBody {
		x.noteTooLarge("response")
		return nil
	}
	return part
}

// finish records the response, whose last part is given. An error means that the
// client must not learn of its end.
func (x *exchange) finish(u *upload, last []byte) error {
	if len(x.reply.trailers) > 0 {
		x.remark("the response has trailers")
	}
	u.good = true
	x.c.trace.Respond(x.rid, &trace.Response{Status: x.reply.status, Reason: x.reply.reason, Headers: x.reply.headers, Body: x.recordable(last)})
	if !x.c.commit {
		return nil
	}
	return x.c.trace.Commit()
}

// writeHead hands status and headers to net/http, and keeps it from adding any.
func (x *exchange) writeHead(u *upload) {
	rep := x.reply
	h := x.w.Header()
	if u.sending() {
		// Should the rest of the request never be read, it must not be taken
		// for the next request on this connection.
		h["Connection"] = []string{"close"}
	}
	values := make([]string, len(rep.headers))
	var connection []string
	for i := range rep.headers {
		if strings.EqualFold(rep.headers[i].Name, "Connection") {
			connection = append(connection, rep.headers[i].Value)
		}
	}
	for i := range rep.headers {
		name := http.CanonicalHeaderKey(rep.headers[i].Name)
		if name != RequestIDHeader && hopByHop(name) || listed(connection, name) {
			continue
		}
		values[i] = rep.headers[i].Value
		if old := h[name]; old == nil {
			h[name] = values[i : i+1 : i+1]
		} else {
			h[name] = append(old, values[i])
		}
	}
	for _, name := range []string{"Date", "Content-Type"} {
		if _, ok := h[name]; !ok {
			h[name] = nil
		}
	}
	if rep.chunked {
		// Otherwise a short body gets a Content-Length, which the server did not send.
		h["Transfer-Encoding"] = []string{"chunked"}
	}
	x.begun = true
	if c, ok := x.r.Context().Value(clientKey{}).(*client); ok {
		c.answer(rep)
	}
	x.w.WriteHeader(rep.status)
}

func (x *exchange) writeTrailers() {
	if len(x.reply.trailers) > 0 {
		// Else net/http would send a short response with its length, and no trailers.
		http.NewResponseController(x.w).Flush()
	}
	for _, t := range x.reply.trailers {
		x.w.Header().Add(http.TrailerPrefix+t.Name, t.Value)
	}
}

// abort records why there is no complete response. The client gets an error of
// ours if nothing went to it yet, else its connection is cut.
func (x *exchange) abort(err error) (cut bool) {
	note := err.Error()
	var client clientError
	select {
	case <-x.c.stop.Done():
		note = "the collector was stopped"
	default:
		if x.r.Context().Err() != nil || x.clientGone.Load() || errors.As(err, &client) {
			note = "the client went away"
		}
	}
	x.c.mu.Lock()
	x.c.stats.Aborted++
	x.c.mu.Unlock()
	var partial *trace.Response
	if x.begun {
		partial = &trace.Response{Status: x.reply.status, Reason: x.reply.reason, Headers: x.reply.headers}
	}
	x.c.trace.Abort(x.rid, partial, note)
	if x.begun {
		return true
	}
	if x.r.Context().Err() == nil {
		x.c.server.ErrorLog.Printf("request %d (%s %s): %s", x.rid, x.r.Method, x.r.RequestURI, note)
	}
	x.w.Header()["Connection"] = []string{"close"}
	http.Error(x.w, "The collector got no answer from the server.", http.StatusBadGateway)
	return false
}

// tunnel passes bytes both ways after a change of protocol, until one side is done.
func (x *exchange) tunnel(u *upload) error {
	x.remark("the connection was upgraded to " + x.upgrade)
	client, buffered, err := http.NewResponseController(x.w).Hijack()
	if err != nil {
		return clientError{err}
	}
	defer client.Close()
	if c, ok := client.(interface{ release() }); ok {
		c.release()
	}
	u.unwatch() // net/http does not look after the client any more
	x.c.trace.Abort(x.rid, &trace.Response{Status: x.reply.status, Reason: x.reply.reason, Headers: x.reply.headers}, "")
	defer context.AfterFunc(x.c.stop, func() { client.Close(); u.conn.Close() })()
	if _, err := client.Write(x.head); err != nil {
		return nil
	}
	finished := make(chan struct{}, 2)
	pass := func(to net.Conn, from io.Reader) {
		io.Copy(to, from)
		if half, ok := to.(interface{ CloseWrite() error }); !ok || half.CloseWrite() != nil {
			to.Close()
		}
		finished <- struct{}{}
	}
	go pass(u.conn.Conn, buffered)
	go pass(client, u.conn.br)
	<-finished
	<-finished
	return nil
}
